import type { LoggerPort, ReadinessCheckContribution } from '@countersign/core';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { refusal } from '../app/problem.js';
import { hasBody } from './has-body.js';

const REMEDY = 'Mount Countersign before body parsers such as @koa/bodyparser and koa-body.';

function wasRead(request: IncomingMessage): boolean {
  return hasBody(request) && request.readableDidRead;
}

/**
 * Bytes that a body parser has read can't be read again, and what it made of them is not what was signed or sent: numbers
 * are rounded, and its limits are not ours.
 *
 * @throws {ApiError} `body_already_read`
 */
export function refuseReadBody(request: IncomingMessage): void {
  if (wasRead(request)) throw refusal('body_already_read', `The body was read before Countersign could. ${REMEDY}`);
}

/**
 * Notices body parsers of the host application in front of Countersign. Koa does not tell a middleware what is in front of
 * it, so the first request that passes shows it: parsers leave `body` on Koa's request, some of them without a body too.
 */
export class BodyParsers {
  #found = false;

  constructor(private readonly log: Pick<LoggerPort, 'error'>) {}

  look({ req, request }: Pick<Context, 'req' | 'request'>): void {
    if (this.#found || !('body' in request || wasRead(req))) return;
    this.#found = true;
    this.log.error({}, `A body parser is in front of Countersign: requests whose body it reads are refused. ${REMEDY}`);
  }

  /** For readiness; none as long as no body parser was noticed. */
  checks(): readonly ReadinessCheckContribution[] {
    if (!this.#found) return [];
    const detail = `A body parser in front of Countersign reads bodies. ${REMEDY}`;
    return [{ name: 'body-parsers', check: async () => ({ status: 'warn', detail }) }];
  }
}
