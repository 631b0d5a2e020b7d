import type { z } from 'zod';
import type { ResponseHeader, RouteResponse } from '../define-route.js';

/** Returns the definition of a JSON response. */
export function jsonResponse<const S extends z.ZodType>(
  schema: S,
  description: string,
  headers: readonly ResponseHeader[] = [],
) {
  return { description, content: { 'application/json': schema }, headers } satisfies RouteResponse;
}
