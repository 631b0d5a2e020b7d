import { ConnectionError, type Client } from '@countersign/contract';
import type { OperationResult } from '../../common/operation-result.js';
import type { ArtifactContent } from '../../common/bridge.js';
import type { MethodInput } from '../../common/methods.js';
import { toOperationResult } from './to-operation-result.js';

/**
 * Maximum size of an artifact that is loaded into the window, in bytes; the same limits as in the inbox of the web UI,
 * which decides by the type, and for unknown types by the name, whether an artifact is a PDF.
 */
const MAX_SHOWN_BYTES = 1024 * 1024;
const MAX_SHOWN_PDF_BYTES = 16 * 1024 * 1024;

type ArtifactArgs = MethodInput<'readArtifact'>;

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** Loads an artifact for display, unless it is too large. */
export async function readArtifact(
  client: Client,
  { runId, artifactName, version }: ArtifactArgs,
): Promise<OperationResult<ArtifactContent>> {
  const controller = new AbortController();
  return toOperationResult<ArtifactContent>(
    (async () => {
      const { contentType, response } = await client.downloadArtifact(
        { runId, artifactName, ...(version === undefined ? {} : { version }) },
        { signal: controller.signal },
      );
      try {
        return {
          kind: 'bytes',
          contentType,
          bytes: Buffer.concat(await collectChunks(readChunks(response.body, getMaxBytes(contentType, artifactName)))),
        };
      } catch (error) {
        controller.abort();
        if (error instanceof TooLargeError) return { kind: 'too-large' };
        throw error;
      }
    })(),
  );
}

function getMaxBytes(contentType: string, name: string): number {
  const isPdf =
    /^application\/pdf\b/i.test(contentType) ||
    (/^(application\/octet-stream\b|$)/i.test(contentType) && /\.pdf$/i.test(name));
  return isPdf ? MAX_SHOWN_PDF_BYTES : MAX_SHOWN_BYTES;
}

/**
 * Yields the bytes of a response as they arrive.
 *
 * @throws {TooLargeError} as soon as the limit is exceeded
 * @throws {ConnectionError} if the connection breaks
 */
export async function* readChunks(body: unknown, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let size = 0;
  try {
    for (let next = await readNextChunk(reader); !next.done; next = await readNextChunk(reader)) {
      size += next.value.byteLength;
      if (size > maxBytes) throw new TooLargeError('The artifact is too large.');
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @throws {ConnectionError} if the connection breaks */
async function readNextChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (error) {
    throw new ConnectionError(error);
  }
}

async function collectChunks(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}
