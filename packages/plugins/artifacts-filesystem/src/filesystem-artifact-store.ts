import {
  ApiError,
  type ArtifactStorePort,
  CoreConfiguration,
  type LifecycleContribution,
  LoggerPort,
  type StoredContent,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { createHash } from 'node:crypto';
import { access, open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ArtifactsFilesystemConfiguration } from './configuration.js';
import { createDirectory, syncDirectory } from './durable-directory.js';
import { readErrorCode, undefinedIfMissing } from './node-error.js';
import { TemporaryFiles } from './temporary-files.js';
import { isUnchanged, VerifiedFiles } from './verified-files.js';
import { type OpenedFile, VerifiedRead } from './verified-read.js';

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Artifact store with files named after their SHA-256: `ab/cdef…`. Bytes go to a temporary file first. Name and bytes
 * are synced before `put` returns, so that an acknowledged artifact survives a power failure. Several servers may share
 * the directory.
 */
@injectable()
export class FilesystemArtifactStore implements ArtifactStorePort, LifecycleContribution {
  readonly name = 'artifacts-filesystem';
  readonly #root: string;
  readonly #temporaryDirectory: string;
  readonly #temporaryFiles: TemporaryFiles;
  readonly #logger: LoggerPort;
  readonly #verifiedFiles = new VerifiedFiles();
  /** Creations of directories, pending or completed, by path. */
  readonly #directories = new Map<string, Promise<void>>();

  constructor(
    @inject(ArtifactsFilesystemConfiguration) configuration: ArtifactsFilesystemConfiguration,
    @inject(CoreConfiguration) core: Pick<CoreConfiguration, 'Data'>,
    @inject(LoggerPort) logger: LoggerPort,
  ) {
    this.#root = configuration.Artifacts.Directory ?? join(core.Data.Directory, 'artifacts');
    this.#temporaryDirectory = join(this.#root, 'tmp');
    this.#temporaryFiles = new TemporaryFiles(this.#temporaryDirectory);
    this.#logger = logger;
  }

  async start(): Promise<void> {
    await this.#ensureDirectory(this.#temporaryDirectory);
    const removedCount = await this.#temporaryFiles.removeAbandoned();
    if (removedCount > 0) this.#logger.info({ files: removedCount }, 'removed temporary files of killed processes');
  }

  async stop(): Promise<void> {
    // Every acknowledged artifact is already durable.
  }

  async put(content: Readable, maxBytes: number): Promise<StoredContent> {
    const temporary = this.#temporaryFiles.reservePath();
    try {
      await this.#ensureDirectory(this.#temporaryDirectory);
      const stored = await writeContent(content, maxBytes, temporary);
      await this.#moveIntoPlace(temporary, stored);
      return stored;
    } catch (error) {
      throw toApiError(error);
    } finally {
      await this.#temporaryFiles.discard(temporary);
    }
  }

  async open(sha256: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    if (!SHA256.test(sha256)) return undefined;
    const verifiedFile = await this.#openVerified(sha256);
    if (verifiedFile === undefined) return undefined;
    await verifiedFile.handle.close();
    return new VerifiedRead(
      () => this.#openForReading(sha256, range !== undefined),
      range ?? { start: 0 },
      () => this.#reportDamaged(sha256),
    );
  }

  /** Opens a file. For a range, the file is verified before it is read; otherwise it is verified while it is read. */
  async #openForReading(sha256: string, isPart: boolean): Promise<OpenedFile> {
    const file = isPart ? await this.#openVerified(sha256) : await this.#openFile(sha256);
    if (file === undefined) throw this.#reportDamaged(sha256);
    if (!('fingerprint' in file)) return { handle: file, verification: { sha256 } };
    const { handle, fingerprint } = file;
    return { handle, verification: { isValid: () => isUnchanged(handle, fingerprint) } };
  }

  /** @throws {ApiError} `artifact_damaged` if the bytes do not match their SHA-256; in this case, the file is closed */
  async #openVerified(
    sha256: string,
  ): Promise<{ readonly handle: FileHandle; readonly fingerprint: string } | undefined> {
    const handle = await this.#openFile(sha256);
    if (handle === undefined) return undefined;
    const fingerprint = await this.#verify(handle, sha256);
    if (fingerprint !== undefined) return { handle, fingerprint };
    await handle.close();
    throw this.#reportDamaged(sha256);
  }

  #reportDamaged(sha256: string): ApiError {
    this.#logger.error(
      { sha256, path: this.#toPath(sha256) },
      'found a damaged artifact: its bytes do not match its SHA-256. Restore the file from a backup, or upload the same bytes again',
    );
    return new ApiError(
      'artifact_damaged',
      'The stored bytes of this artifact differ from the uploaded bytes, so they are not returned. An operator can restore the file from a backup.',
      { sha256 },
    );
  }

  async check(): Promise<void> {
    await this.#ensureDirectory(this.#temporaryDirectory);
    const temporary = this.#temporaryFiles.reservePath();
    try {
      const handle = await open(temporary, 'wx', 0o600);
      try {
        await handle.writeFile('check');
        await handle.sync();
      } finally {
        await handle.close();
      }
      if ((await readFile(temporary, 'utf8')) !== 'check')
        throw new Error('The bytes read back differ from the bytes written.');
    } finally {
      await this.#temporaryFiles.discard(temporary);
    }
  }

  #toPath(sha256: string): string {
    return join(this.#root, sha256.slice(0, 2), sha256.slice(2));
  }

  async #openFile(sha256: string): Promise<FileHandle | undefined> {
    try {
      const handle = await undefinedIfMissing(open(this.#toPath(sha256), 'r'));
      // If the directory itself is missing (such as an unmounted share), the state of the file is unknown.
      if (handle === undefined) await access(this.#temporaryDirectory);
      return handle;
    } catch (error) {
      throw toApiError(error);
    }
  }

  /** Renames the temporary file, unless its bytes are already stored. */
  async #moveIntoPlace(temporary: string, { sha256, size }: StoredContent): Promise<void> {
    const path = this.#toPath(sha256);
    const directory = join(this.#root, sha256.slice(0, 2));
    await this.#ensureDirectory(directory);
    if (!(await this.#isStored(path, { sha256, size }))) await rename(temporary, path);
    // Existing bytes are synced as well: the process that stored them may not have reached this line yet.
    await syncDirectory(directory);
  }

  /** Returns whether the bytes are already stored, complete and unchanged. */
  async #isStored(path: string, { sha256, size }: StoredContent): Promise<boolean> {
    const handle = await undefinedIfMissing(open(path, 'r'));
    if (handle === undefined) return false;
    try {
      return (await handle.stat()).size === size && (await this.#verifiedFiles.verify(handle, sha256)) !== undefined;
    } finally {
      await handle.close();
    }
  }

  /** Verifies a file; closes the handle if it cannot be read. */
  async #verify(handle: FileHandle, sha256: string): Promise<string | undefined> {
    try {
      return await this.#verifiedFiles.verify(handle, sha256);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #ensureDirectory(directory: string): Promise<void> {
    let creation = this.#directories.get(directory);
    if (creation === undefined) {
      creation = createDirectory(directory);
      this.#directories.set(directory, creation);
      creation.catch(() => this.#directories.delete(directory));
    }
    await creation;
  }
}

/**
 * Writes, counts and hashes the bytes. A source that is too large is not destroyed, so that its owner can still
 * respond.
 */
async function writeContent(content: Readable, maxBytes: number, path: string): Promise<StoredContent> {
  const hash = createHash('sha256');
  let size = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content.iterator({ destroyOnReturn: false })) {
      const bytes = toBytes(chunk);
      size += bytes.length;
      if (size > maxBytes)
        throw new ApiError('payload_too_large', `The artifact is larger than ${maxBytes} bytes.`, { maxBytes });
      hash.update(bytes);
      await writeAll(handle, bytes);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), size };
}

function toBytes(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError('An artifact stream must yield bytes or strings.');
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) offset += (await handle.write(bytes, offset)).bytesWritten;
}

/**
 * Error codes that mean that the artifact directory is unusable at present: its file system is read-only, broken or
 * unreachable, the directory is missing (such as an unmounted share) or access to it is denied, or too many files are
 * open.
 */
const UNUSABLE_CODES: ReadonlySet<string | undefined> = new Set([
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ENOENT',
  'ENOTDIR',
  'ENXIO',
  'ENODEV',
  'ESTALE',
  'ETIMEDOUT',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENFILE',
]);

/**
 * Converts an error of the file system to an `ApiError` with a remedy for the operator; returns other errors unchanged.
 */
function toApiError(error: unknown): unknown {
  const code = readErrorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new ApiError(
      'storage_full',
      'No space is left for artifacts. An operator must free disk space.',
      {},
      { cause: error },
    );
  if (!UNUSABLE_CODES.has(code)) return error;
  return new ApiError(
    'service_unavailable',
    'The artifact directory is unavailable. An operator must check its disk, permissions and mount, and the limit on open files.',
    {},
    { cause: error },
  );
}
