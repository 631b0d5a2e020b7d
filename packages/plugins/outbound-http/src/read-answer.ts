import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';
import { refused } from './failures.js';

/** Nothing is asked for in a compressed form, and some compress all the same. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  'gzip': () => createGunzip(),
  'x-gzip': () => createGunzip(),
  'deflate': () => createInflate(),
  'br': () => createBrotliDecompress(),
};

/**
 * The body of an answer, decompressed while it comes in and counted after that.
 *
 * @throws {OutboundHttpError} `outbound_response_too_large`, `outbound_response_encoding`; errors of streams as they are
 */
export async function readAnswer(
  answer: IncomingMessage,
  method: string,
  host: string,
  maxBytes: number,
): Promise<Buffer> {
  const { statusCode: status = 0, headers } = answer;
  const hasNone = method === 'HEAD' || status === 204 || status === 304;
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = hasNone || coding === 'identity' || coding === '' ? undefined : decoderOf(coding, host);
  if (!hasNone && decoder === undefined && Number(headers['content-length']) > maxBytes) throw tooLarge(host, maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      size += chunk.length;
      // What is thrown here is not always what the pipeline throws: stopping has errors of its own.
      if (size > maxBytes) throw tooLarge(host, maxBytes);
      chunks.push(chunk);
    }
  };
  try {
    await (decoder === undefined ? pipeline(answer, collect) : pipeline(answer, decoder, collect));
  } catch (error) {
    throw size > maxBytes ? tooLarge(host, maxBytes) : error;
  }
  return Buffer.concat(chunks, size);
}

function decoderOf(coding: string, host: string): Transform {
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder !== undefined) return decoder();
  throw refused('outbound_response_encoding', `${host} answers in a content encoding that can't be read.`);
}

function tooLarge(host: string, maxBytes: number): Error {
  return refused('outbound_response_too_large', `The answer of ${host} is larger than ${maxBytes} bytes.`);
}
