import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Client } from '@countersign/contract';
import { createRefusal, type OperationResult } from '../../common/operation-result.js';
import type { MethodInput } from '../../common/methods.js';
import { toOperationResult } from '../api/to-operation-result.js';
import { readChunks, TooLargeError } from '../api/read-artifact.js';

/** Maximum size of a saved artifact, in bytes. */
const MAX_SAVED_BYTES = 1024 * 1024 * 1024;
/** Minimum interval between progress events, in ms. */
const PROGRESS_INTERVAL_MS = 100;

type SaveResult = OperationResult<{ readonly saved: boolean }>;

/** Thrown when the file cannot be written. */
class DiskError extends Error {
  override readonly name = 'DiskError';
}

/**
 * Saves evidence to a file. Writes under a temporary name in the same directory first, so that incomplete or wrong
 * content never has the chosen name. Only this user can read the file, and this application never opens it.
 *
 * @param onProgress receives the number of bytes so far, and the total if the server reports it
 */
export async function saveArtifact(
  client: Pick<Client, 'downloadArtifact'>,
  { runId, artifactName, version, sha256 }: MethodInput<'saveArtifact'>,
  file: string,
  onProgress: (received: number, total: number | undefined) => void = () => undefined,
): Promise<SaveResult> {
  const temporaryPath = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`);
  try {
    const downloadResult = await toOperationResult(
      (async () => {
        const { response, size } = await client.downloadArtifact({
          runId,
          artifactName,
          ...(version === undefined ? {} : { version }),
        });
        return writeChunks(readChunks(response.body, MAX_SAVED_BYTES), temporaryPath, (received) =>
          onProgress(received, size),
        );
      })(),
    );
    if (!downloadResult.ok) return downloadResult;
    if (downloadResult.value !== sha256) return createRefusal('not_the_evidence');
    await withDiskErrors(() => rename(temporaryPath, file));
    return { ok: true, value: { saved: true } };
  } catch (error) {
    if (error instanceof TooLargeError) return createRefusal('too_large_to_save');
    if (error instanceof DiskError) return { ...createRefusal('not_written'), message: error.message };
    throw error;
  } finally {
    await rm(temporaryPath, { force: true }).catch(() => undefined);
  }
}

/**
 * @returns the SHA-256 of the written bytes, in hexadecimal
 * @throws {DiskError} if the file cannot be written
 */
async function writeChunks(
  chunks: AsyncIterable<Uint8Array>,
  temporaryPath: string,
  onProgress: (received: number) => void,
): Promise<string> {
  const hash = createHash('sha256');
  // Creates only a new file, so that the temporary file never overwrites a file of the user.
  const out = await withDiskErrors(() => open(temporaryPath, 'wx', 0o600));
  try {
    let received = 0;
    let reportedAt = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      await withDiskErrors(() => out.writeFile(chunk));
      received += chunk.byteLength;
      if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
      reportedAt = Date.now();
      onProgress(received);
    }
    await withDiskErrors(() => out.sync());
    return hash.digest('hex');
  } finally {
    await out.close();
  }
}

/** @throws {DiskError} if the operation fails; the message contains the error code of the operating system */
async function withDiskErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new DiskError(
      `The file can’t be saved there: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}. Choose another location.`,
    );
  }
}
