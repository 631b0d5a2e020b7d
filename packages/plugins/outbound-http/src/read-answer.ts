import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { refused } from './failures.js';

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
export async function* answerChunks(
  answer: IncomingMessage,
  method: string,
  host: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const { statusCode: status = 0, headers } = answer;
  const hasNone = method === 'HEAD' || status === 204 || status === 304;
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = hasNone || coding === 'identity' || coding === '' ? undefined : decoderOf(coding, host);
  if (!hasNone && decoder === undefined && Number(headers['content-length']) > maxBytes) throw tooLarge(host, maxBytes);
  // Errors are thrown to the reader of the last stream.
  const source: Readable = decoder === undefined ? answer : pipeline(answer, decoder, () => undefined);
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(host, maxBytes);
    yield chunk;
  }
}

/**
 * Reads the whole body.
 *
 * @throws as {@link answerChunks}
 */
export async function readAnswer(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

function decoderOf(coding: string, host: string): Transform {
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder !== undefined) return decoder();
  throw refused('outbound_response_encoding', `${host} responded with an unsupported content encoding.`);
}

function tooLarge(host: string, maxBytes: number): Error {
  return refused('outbound_response_too_large', `The response of ${host} is larger than ${maxBytes} bytes.`);
}
