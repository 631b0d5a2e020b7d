import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Client } from '@countersign/contract';
import { refused, type OperationResult } from '../../common/operation-result.js';
import type { MethodInput } from '../../common/methods.js';
import { toOperationResult } from '../api/to-operation-result.js';
import { chunksOf, TooLargeError } from '../api/artifacts.js';

/** Maximum saved size, in bytes. */
const MAX_SAVED_BYTES = 1024 * 1024 * 1024;
/** Minimum interval between progress events, in ms. */
const TELL_MS = 100;

type Saved = OperationResult<{ readonly saved: boolean }>;

/** Thrown when the disk fails, not the server. */
class NotWrittenError extends Error {
  override readonly name = 'NotWrittenError';
}

/**
 * Saves evidence to a file. Writes under a temporary name in the same directory first, so that incomplete or wrong
 * content never has the chosen name. Only this user can read the file, and nothing opens it.
 *
 * @param onProgress bytes so far, and the total if the server reports it
 */
export async function saveArtifact(
  client: Pick<Client, 'downloadArtifact'>,
  { runId, artifactName, version, sha256 }: MethodInput<'saveArtifact'>,
  file: string,
  onProgress: (received: number, total: number | undefined) => void = () => undefined,
): Promise<Saved> {
  const part = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`);
  try {
    const answer = await toOperationResult(
      (async () => {
        const { response, size } = await client.downloadArtifact({
          runId,
          artifactName,
          ...(version === undefined ? {} : { version }),
        });
        return write(chunksOf(response.body, MAX_SAVED_BYTES), part, (received) => onProgress(received, size));
      })(),
    );
    if (!answer.ok) return answer;
    if (answer.value !== sha256) return refused('not_the_evidence');
    await onDisk(() => rename(part, file));
    return { ok: true, value: { saved: true } };
  } catch (error) {
    if (error instanceof TooLargeError) return refused('too_large_to_save');
    if (error instanceof NotWrittenError) return { ...refused('not_written'), message: error.message };
    throw error;
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/**
 * @returns the digest of the written bytes
 * @throws {NotWrittenError} if the disk fails
 */
async function write(
  chunks: AsyncIterable<Uint8Array>,
  part: string,
  onProgress: (received: number) => void,
): Promise<string> {
  const hash = createHash('sha256');
  // Creates only a new file, so that no file of the user is ever overwritten.
  const out = await onDisk(() => open(part, 'wx', 0o600));
  try {
    let received = 0;
    let reportedAt = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      await onDisk(() => out.writeFile(chunk));
      received += chunk.byteLength;
      if (Date.now() - reportedAt < TELL_MS) continue;
      reportedAt = Date.now();
      onProgress(received);
    }
    await onDisk(() => out.sync());
    return hash.digest('hex');
  } finally {
    await out.close();
  }
}

/** @throws {NotWrittenError} with the reason from the operating system */
async function onDisk<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new NotWrittenError(
      `The file can’t be saved there: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}. Choose another location.`,
    );
  }
}
