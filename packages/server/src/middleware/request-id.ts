import { randomUUID } from 'node:crypto';

/** Ids of callers that may go into logs and answers as they are. */
const SANE = /^[A-Za-z0-9._:@/+=-]{1,128}$/;

/** The caller's `X-Request-Id` if it is sane, or a new one. */
export function traceIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : randomUUID();
}
