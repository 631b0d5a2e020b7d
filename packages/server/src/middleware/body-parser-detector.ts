import type { LoggerPort, ReadinessCheckContribution } from '@countersign/core';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { createRefusal } from '../app/problem.js';
import { hasBody } from './has-body.js';

const DETECTED_MESSAGE =
  'A body parser appears to be mounted before Countersign; requests whose body the parser reads are refused.';
const REMEDY = 'Mount Countersign before body parsers such as @koa/bodyparser and koa-body.';

/**
 * Returns whether a body was read. A stream with an encoding set counts as read, because its raw bytes are no longer
 * available.
 */
function isBodyRead(request: IncomingMessage): boolean {
  return hasBody(request) && (request.readableDidRead || request.readableEncoding !== null);
}

/**
 * Refuses a request whose body was read. Its bytes cannot be read again, and the parser's result cannot replace them:
 * signatures and digests cover the exact bytes, parsed numbers lose precision, and the parser has other limits.
 *
 * @throws {ApiError} `body_already_read`
 */
export function refuseReadBody(request: IncomingMessage): void {
  if (isBodyRead(request))
    throw createRefusal('body_already_read', `The body was read before it reached Countersign. ${REMEDY}`);
}

/**
 * Detects body parsers that the host application mounts before Countersign. Koa does not expose the order of
 * middleware, so requests are inspected: parsers set `ctx.request.body`, some even for requests without a body.
 */
export class BodyParserDetector {
  #detected = false;

  constructor(private readonly log: Pick<LoggerPort, 'warn'>) {}

  inspect({ req, request }: Pick<Context, 'req' | 'request'>): void {
    if (this.#detected || !(isBodyRead(req) || ('body' in request && request.body !== undefined))) return;
    this.#detected = true;
    this.log.warn({}, `${DETECTED_MESSAGE} ${REMEDY}`);
  }

  /** Returns the readiness checks; empty until a body parser is detected. */
  getReadinessChecks(): readonly ReadinessCheckContribution[] {
    if (!this.#detected) return [];
    const detail = `${DETECTED_MESSAGE} ${REMEDY}`;
    return [{ name: 'body-parsers', check: async () => ({ status: 'warn', detail }) }];
  }
}
