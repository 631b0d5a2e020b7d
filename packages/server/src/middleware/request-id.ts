import { randomUUID } from 'node:crypto';

/** Ids of callers that are safe in logs and responses. */
const SANE = /^[A-Za-z0-9._:@/+=-]{1,128}$/;

/** Returns the caller's `X-Request-Id` if it is safe, or a new id. */
export function traceIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : randomUUID();
}
