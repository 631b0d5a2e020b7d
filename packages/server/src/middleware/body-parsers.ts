import type { LoggerPort, ReadinessCheckContribution } from '@countersign/core';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { refusal } from '../app/problem.js';
import { hasBody } from './has-body.js';

const FOUND =
  'A body parser appears to be mounted before Countersign; requests whose body the parser reads are refused.';
const REMEDY = 'Mount Countersign before body parsers such as @koa/bodyparser and koa-body.';

/** Returns whether a body was read. A decoded body counts as read, because its bytes are no longer known. */
function wasRead(request: IncomingMessage): boolean {
  return hasBody(request) && (request.readableDidRead || request.readableEncoding !== null);
}

/**
 * Refuses a request whose body was read. Its bytes cannot be read again, and the parser's result cannot replace them:
 * signatures and digests cover the exact bytes, parsed numbers lose precision, and the parser has other limits.
 *
 * @throws {ApiError} `body_already_read`
 */
export function refuseReadBody(request: IncomingMessage): void {
  if (wasRead(request))
    throw refusal('body_already_read', `The body was read before it reached Countersign. ${REMEDY}`);
}

/**
 * Detects body parsers that the host application mounts before Countersign. Koa does not expose the order of
 * middleware, so requests are inspected: parsers set `ctx.request.body`, some even for requests without a body.
 */
export class BodyParsers {
  #found = false;

  constructor(private readonly log: Pick<LoggerPort, 'warn'>) {}

  look({ req, request }: Pick<Context, 'req' | 'request'>): void {
    if (this.#found || !(wasRead(req) || ('body' in request && request.body !== undefined))) return;
    this.#found = true;
    this.log.warn({}, `${FOUND} ${REMEDY}`);
  }

  /** Returns the readiness checks; empty until a body parser is detected. */
  checks(): readonly ReadinessCheckContribution[] {
    if (!this.#found) return [];
    const detail = `${FOUND} ${REMEDY}`;
    return [{ name: 'body-parsers', check: async () => ({ status: 'warn', detail }) }];
  }
}
