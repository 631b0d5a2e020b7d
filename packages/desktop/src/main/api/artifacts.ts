import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { ConnectionError, type Client } from '@countersign/contract';
import type { Answer } from '../../common/answers.js';
import type { ArtifactContent } from '../../common/bridge.js';
import type { MethodInput } from '../../common/methods.js';
import { answerOf } from './answer-of.js';

/** What is loaded into the window at most, in bytes: that of the web UI's previews. */
const MAX_SHOWN_BYTES = 1024 * 1024;
/** What is saved at most, in bytes. */
const MAX_SAVED_BYTES = 1024 * 1024 * 1024;

type ArtifactArgs = MethodInput<'readArtifact'>;

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** Loads an artifact for being shown, if it is not too large for that. */
export async function readArtifact(client: Client, { runId, artifactName, version }: ArtifactArgs): Promise<Answer<ArtifactContent>> {
  const controller = new AbortController();
  return answerOf<ArtifactContent>(
    (async () => {
      const { contentType, response } = await client.downloadArtifact({ runId, artifactName, ...(version === undefined ? {} : { version }) }, { signal: controller.signal });
      try {
        return { kind: 'bytes', contentType, bytes: Buffer.concat(await collect(chunksOf(response.body, MAX_SHOWN_BYTES))) };
      } catch (error) {
        controller.abort();
        if (error instanceof TooLargeError) return { kind: 'too-large' };
        throw error;
      }
    })(),
  );
}

/** Writes an artifact to a file: beside it first, so that what broke off is never taken for the whole. */
export async function saveArtifact(client: Client, { runId, artifactName, version }: ArtifactArgs, file: string): Promise<Answer<{ readonly saved: boolean }>> {
  const part = `${file}.part`;
  return answerOf(
    (async () => {
      const { response } = await client.downloadArtifact({ runId, artifactName, ...(version === undefined ? {} : { version }) });
      const out = createWriteStream(part, { mode: 0o600 });
      try {
        for await (const chunk of chunksOf(response.body, MAX_SAVED_BYTES)) if (!out.write(chunk)) await once(out, 'drain');
        out.end();
        await once(out, 'close');
        await rename(part, file);
        return { saved: true };
      } catch (error) {
        out.destroy();
        await rm(part, { force: true });
        throw error;
      }
    })(),
  );
}

/** @throws {TooLargeError} as soon as there is more than that */
async function* chunksOf(body: unknown, most: number): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let size = 0;
  try {
    for (let next = await nextOf(reader); !next.done; next = await nextOf(reader)) {
      size += next.value.byteLength;
      if (size > most) throw new TooLargeError('It is larger than what is taken.');
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @throws {ConnectionError} where it breaks off */
async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (error) {
    throw new ConnectionError(error);
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}
