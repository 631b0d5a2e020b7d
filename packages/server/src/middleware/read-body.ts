import { InexactNumberError, parseExactJson } from '@countersign/model';
import type { IncomingMessage } from 'node:http';
import { createRefusal } from '../app/problem.js';
import { refuseReadBody } from './body-parser-detector.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Time limit for the whole body, in ms. */
  readonly timeoutMs: number;
}

/** Thrown when the caller closes the connection during the request, so that no response is possible. */
export class ClientDisconnectedError extends Error {
  constructor() {
    super('The caller closed the connection before the request was complete.');
    this.name = 'ClientDisconnectedError';
  }
}

const UTF8_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Refuses compressed bodies, because their decompressed size is not limited.
 *
 * @throws {ApiError} `unsupported_media_type`
 */
export function refuseEncodedBody(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw createRefusal('unsupported_media_type', 'Send the body without a content encoding.');
  }
}

/**
 * Refuses a request whose `Content-Length` exceeds the limit.
 *
 * @throws {ApiError} `payload_too_large`
 */
export function refuseOversizedBody(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw createTooLargeError(maxBytes);
}

/**
 * Reads the whole body.
 *
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large`, `request_timeout`, `body_already_read`
 * @throws {ClientDisconnectedError} if the caller closes the connection
 */
export function readBody(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Buffer> {
  refuseEncodedBody(request);
  refuseOversizedBody(request, maxBytes);
  refuseReadBody(request);
  // A body parser may have read an empty body.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  // A closed request emits no further `close` event.
  if (request.destroyed) return Promise.reject(new ClientDisconnectedError());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(
      () => settle(() => reject(createRefusal('request_timeout', 'The body did not arrive in time.'))),
      timeoutMs,
    );
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onDisconnect).off('close', onDisconnect);
      action();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) settle(() => reject(createTooLargeError(maxBytes)));
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, size)));
    const onDisconnect = (): void => settle(() => reject(new ClientDisconnectedError()));
    request.on('data', onData).on('end', onEnd).on('error', onDisconnect).on('close', onDisconnect);
  });
}

/**
 * Decodes a body.
 *
 * @throws {ApiError} `malformed_request` if the body is not UTF-8
 */
export function decodeUtf8(body: Buffer): string {
  try {
    return UTF8_DECODER.decode(body);
  } catch {
    throw createRefusal('malformed_request', 'The body is not UTF-8.');
  }
}

/**
 * Parses a JSON body. If an object repeats a member, the last one is used (as in ECMAScript; RFC 8259, 4 does not
 * specify this). The validation that follows refuses keys that could pollute a prototype.
 *
 * @throws {ApiError} `malformed_json`; `validation_failed` if a number is not exact ({@link parseExactJson})
 */
export function parseJson(body: Buffer): unknown {
  try {
    return parseExactJson(decodeUtf8(body));
  } catch (error) {
    if (error instanceof InexactNumberError)
      throw createRefusal('validation_failed', 'The body contains a number that a variable cannot hold exactly.', {
        errors: [error.problem],
      });
    if (error instanceof SyntaxError) throw createRefusal('malformed_json', 'The body is not JSON.');
    throw error;
  }
}

function createTooLargeError(maxBytes: number): Error {
  return createRefusal('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
}
