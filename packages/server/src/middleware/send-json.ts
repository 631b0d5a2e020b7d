import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { runTimeSliced, jsonChunksInPieces, mapInPieces } from '@countersign/model';
import type { Context } from 'koa';
import { chooseEncoding } from './accepted-encoding.js';

/** Number of bytes to send before a pause for the event loop. */
const MAX_BYTES_BETWEEN_PAUSES = 1_048_576;
const JSON_TYPE = 'application/json; charset=utf-8';
/** Bodies below this size, in bytes, fit into one packet, so compressing them saves no time. */
const MIN_COMPRESSED_BYTES = 1_400;
/** A quality that compresses JSON better than gzip, in less time. */
const BROTLI = Object.freeze({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
const COMPRESSORS = Object.freeze({
  br: {
    compress: (bytes: Buffer): Promise<Buffer> => promisify(brotliCompress)(bytes, BROTLI),
    createStream: () => createBrotliCompress(BROTLI),
  },
  gzip: { compress: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes), createStream: () => createGzip() },
});

/**
 * Sends a value as JSON, compressed if the client accepts it (RFC 9110, section 12.5.3). A response with an `ETag` is
 * not compressed, because a strong validator belongs to exactly one representation.
 *
 * A compressed size reveals nothing to other sites (BREACH): they cannot make a browser send a bearer token.
 */
export async function sendJson(ctx: Context, body: unknown): Promise<void> {
  const chunks = await runTimeSliced(encodeInPieces(body));
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  ctx.set('Content-Type', JSON_TYPE);
  const encoding = isCompressible(ctx, size) ? chooseEncoding(ctx) : 'identity';
  const [only] = chunks;
  if (encoding === 'identity') {
    ctx.length = size;
    ctx.body = chunks.length === 1 ? only : Readable.from(yieldWithPauses(chunks));
    return;
  }
  const { compress, createStream } = COMPRESSORS[encoding];
  if (only === undefined || chunks.length > 1) {
    const source = Readable.from(yieldWithPauses(chunks));
    // Koa destroys the body if the client disconnects; `pipeline` then ends the source too.
    ctx.body = pipeline(source, createStream(), () => undefined);
  } else ctx.body = await compress(only);
  ctx.set('Content-Encoding', encoding);
}

function isCompressible(ctx: Context, size: number): boolean {
  if (size < MIN_COMPRESSED_BYTES || ctx.res.hasHeader('ETag')) return false;
  ctx.vary('Accept-Encoding');
  return true;
}

function* encodeInPieces(body: unknown): Generator<void, Buffer[]> {
  return yield* mapInPieces(yield* jsonChunksInPieces(body), (chunk) => Buffer.from(chunk));
}

/** Yields the chunks with pauses: writing to a client that reads immediately would block the event loop. */
async function* yieldWithPauses(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  let bytesSincePause = 0;
  for (const chunk of chunks) {
    yield chunk;
    bytesSincePause += chunk.byteLength;
    if (bytesSincePause < MAX_BYTES_BETWEEN_PAUSES) continue;
    await setImmediate();
    bytesSincePause = 0;
  }
}
