import { randomUUID } from 'node:crypto';

/** Request ids from callers that are safe to log and to return. */
const SAFE_ID_PATTERN = /^[A-Za-z0-9._:@/+=-]{1,128}$/;

/** Returns the caller's `X-Request-Id` if it is safe, or a new id. */
export function getTraceId(header: string | string[] | undefined): string {
  return typeof header === 'string' && SAFE_ID_PATTERN.test(header) ? header : randomUUID();
}
