import type { LoggerPort, ReadinessCheckContribution } from '@countersign/core';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { refusal } from '../app/problem.js';
import { hasBody } from './has-body.js';

const FOUND = 'A body parser appears to be mounted before Countersign; requests whose body it reads are refused.';
const REMEDY = 'Mount Countersign before body parsers such as @koa/bodyparser and koa-body.';

/** A decoded body counts as read: what its bytes were is not known any more. */
function wasRead(request: IncomingMessage): boolean {
  return hasBody(request) && (request.readableDidRead || request.readableEncoding !== null);
}

/**
 * Bytes that a body parser has read can't be read again, and its result cannot replace them: signatures and digests cover the
 * exact bytes, parsed numbers lose precision, and the parser has other limits.
 *
 * @throws {ApiError} `body_already_read`
 */
export function refuseReadBody(request: IncomingMessage): void {
  if (wasRead(request)) throw refusal('body_already_read', `The body was read before Countersign could. ${REMEDY}`);
}

/**
 * Detects body parsers that the host application mounts before Countersign. Koa does not expose the order of middleware, so
 * requests are inspected: parsers set `ctx.request.body`, some even for requests without a body.
 */
export class BodyParsers {
  #found = false;

  constructor(private readonly log: Pick<LoggerPort, 'warn'>) {}

  look({ req, request }: Pick<Context, 'req' | 'request'>): void {
    if (this.#found || !(wasRead(req) || ('body' in request && request.body !== undefined))) return;
    this.#found = true;
    this.log.warn({}, `${FOUND} ${REMEDY}`);
  }

  /** For readiness; none as long as no body parser was noticed. */
  checks(): readonly ReadinessCheckContribution[] {
    if (!this.#found) return [];
    const detail = `${FOUND} ${REMEDY}`;
    return [{ name: 'body-parsers', check: async () => ({ status: 'warn', detail }) }];
  }
}
