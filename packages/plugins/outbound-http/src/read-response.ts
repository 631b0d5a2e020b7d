import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { permanentError } from './outbound-errors.js';

/** Decoders by content encoding. Requests do not accept compression, but some servers compress anyway. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  'gzip': () => createGunzip(),
  'x-gzip': () => createGunzip(),
  'deflate': () => createInflate(),
  'br': () => createBrotliDecompress(),
};

/**
 * Yields the body of a response in chunks, decompressed. The size limit applies to the decompressed body.
 *
 * @throws {OutboundHttpError} `outbound_response_too_large`, `outbound_response_encoding`
 * @throws stream errors unchanged
 */
export async function* readResponseChunks(
  response: IncomingMessage,
  method: string,
  host: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const { statusCode: status = 0, headers } = response;
  const hasNoBody = method === 'HEAD' || status === 204 || status === 304;
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = hasNoBody || coding === 'identity' || coding === '' ? undefined : createDecoder(coding, host);
  if (!hasNoBody && decoder === undefined && Number(headers['content-length']) > maxBytes)
    throw responseTooLarge(host, maxBytes);
  // The callback ignores errors, because the reader of the last stream receives them.
  const source: Readable = decoder === undefined ? response : pipeline(response, decoder, () => undefined);
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw responseTooLarge(host, maxBytes);
    yield chunk;
  }
}

/**
 * Reads the whole body.
 *
 * @throws the errors of {@link readResponseChunks}
 */
export async function readBody(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const buffers: Buffer[] = [];
  for await (const chunk of chunks) buffers.push(chunk);
  return Buffer.concat(buffers);
}

function createDecoder(coding: string, host: string): Transform {
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder !== undefined) return decoder();
  throw permanentError('outbound_response_encoding', `${host} responded with an unsupported content encoding.`);
}

function responseTooLarge(host: string, maxBytes: number): Error {
  return permanentError('outbound_response_too_large', `The response of ${host} is larger than ${maxBytes} bytes.`);
}
