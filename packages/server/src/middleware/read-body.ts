import { InexactNumberError, parseExactJson } from '@countersign/model';
import type { IncomingMessage } from 'node:http';
import { refusal } from '../app/problem.js';
import { refuseReadBody } from './body-parsers.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** The whole body must be there within this time. */
  readonly timeoutMs: number;
}

/** The caller went away in the middle of the request: there is nobody to answer. */
export class CallerGoneError extends Error {
  constructor() {
    super('The caller closed the connection before the request was complete.');
    this.name = 'CallerGoneError';
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** @throws {ApiError} `unsupported_media_type` for compressed bodies: they could unfold into anything. */
export function refuseEncodings(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw refusal('unsupported_media_type', 'Send the body without a content encoding.');
  }
}

/** @throws {ApiError} `payload_too_large` where the length given is over the limit. */
export function refuseLength(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** @throws {ApiError} `payload_too_large`, `request_timeout`, `body_already_read`; {CallerGoneError} */
export function readBody(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Buffer> {
  refuseEncodings(request);
  refuseLength(request, maxBytes);
  refuseReadBody(request);
  // A body parser may have read that there is nothing.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  // Whoever left already will not tell again.
  if (request.destroyed) return Promise.reject(new CallerGoneError());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(
      () => settle(() => reject(refusal('request_timeout', 'The body did not arrive in time.'))),
      timeoutMs,
    );
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      act();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) settle(() => reject(tooLarge(maxBytes)));
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, size)));
    const onGone = (): void => settle(() => reject(new CallerGoneError()));
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** @throws {ApiError} `malformed_request` where it is not UTF-8. */
export function decodeUtf8(body: Buffer): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw refusal('malformed_request', 'The body is not UTF-8.');
  }
}

/**
 * Parses a JSON body. Where an object names a member twice, the last one counts (as ECMAScript reads it; RFC 8259, 4
 * leaves it open). Keys that could pollute a prototype are refused by the validation that follows.
 *
 * @throws {ApiError} `malformed_json`; `validation_failed` if a number is not exact ({@link parseExactJson})
 */
export function parseJson(body: Buffer): unknown {
  try {
    return parseExactJson(decodeUtf8(body));
  } catch (error) {
    if (error instanceof InexactNumberError)
      throw refusal('validation_failed', 'The body contains a number that a variable cannot hold exactly.', {
        errors: [error.problem],
      });
    if (error instanceof SyntaxError) throw refusal('malformed_json', 'The body is not JSON.');
    throw error;
  }
}

function tooLarge(maxBytes: number): Error {
  return refusal('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
}
