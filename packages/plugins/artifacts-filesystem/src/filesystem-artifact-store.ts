import {
  CoreConfiguration,
  CountersignError,
  LoggerPort,
  type ArtifactStorePort,
  type LifecycleContribution,
  type StoredContent,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { createHash } from 'node:crypto';
import { open, readFile, rename, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ArtifactsFilesystemConfiguration } from './configuration.js';
import { makeDirectory, syncDirectory } from './durable-directory.js';
import { unlessMissing } from './node-error.js';
import { TemporaryFiles } from './temporary-files.js';

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Artifacts as files named after their SHA-256: `ab/cdef…`. Bytes go to a temporary file first; name and bytes are synced
 * before the answer, so that what was acknowledged survives a power failure. Several servers may share the directory.
 */
@injectable()
export class FilesystemArtifactStore implements ArtifactStorePort, LifecycleContribution {
  readonly name = 'artifacts-filesystem';
  readonly #root: string;
  readonly #temporary: string;
  readonly #temporaryFiles: TemporaryFiles;
  readonly #logger: LoggerPort;
  /** Directories that are known to be there, durably. */
  readonly #directories = new Map<string, Promise<void>>();

  constructor(
    @inject(ArtifactsFilesystemConfiguration) configuration: ArtifactsFilesystemConfiguration,
    @inject(CoreConfiguration) core: Pick<CoreConfiguration, 'Data'>,
    @inject(LoggerPort) logger: LoggerPort,
  ) {
    this.#root = configuration.Artifacts.Directory ?? join(core.Data.Directory, 'artifacts');
    this.#temporary = join(this.#root, 'tmp');
    this.#temporaryFiles = new TemporaryFiles(this.#temporary);
    this.#logger = logger;
  }

  async start(): Promise<void> {
    await this.#ensureDirectory(this.#temporary);
    const removed = await this.#temporaryFiles.clean();
    if (removed > 0) this.#logger.info({ files: removed }, 'removed unfinished artifacts of a process that was killed');
  }

  async stop(): Promise<void> {
    // Every answer was durable already.
  }

  async put(content: Readable, maxBytes: number): Promise<StoredContent> {
    await this.#ensureDirectory(this.#temporary);
    const temporary = this.#temporaryFiles.create();
    try {
      const stored = await write(content, maxBytes, temporary);
      await this.#keep(temporary, stored);
      return stored;
    } finally {
      await this.#temporaryFiles.discard(temporary);
    }
  }

  async open(sha256: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    if (!SHA256.test(sha256)) return undefined;
    const handle = await unlessMissing(open(this.#pathOf(sha256), 'r'));
    return handle?.createReadStream(range === undefined ? {} : { start: range.start, end: range.end });
  }

  async check(): Promise<void> {
    await this.#ensureDirectory(this.#temporary);
    const temporary = this.#temporaryFiles.create();
    try {
      const handle = await open(temporary, 'wx', 0o600);
      try {
        await handle.writeFile('check');
        await handle.sync();
      } finally {
        await handle.close();
      }
      if ((await readFile(temporary, 'utf8')) !== 'check') throw new Error('What was written did not come back.');
    } finally {
      await this.#temporaryFiles.discard(temporary);
    }
  }

  #pathOf(sha256: string): string {
    return join(this.#root, sha256.slice(0, 2), sha256.slice(2));
  }

  /** Gives the temporary file its name, unless its bytes are there already. */
  async #keep(temporary: string, { sha256, size }: StoredContent): Promise<void> {
    const path = this.#pathOf(sha256);
    const directory = join(this.#root, sha256.slice(0, 2));
    await this.#ensureDirectory(directory);
    const there = await unlessMissing(stat(path));
    if (there?.size !== size) await rename(temporary, path);
    // Also for bytes that were there: whoever put them may not have come to this line yet.
    await syncDirectory(directory);
  }

  async #ensureDirectory(directory: string): Promise<void> {
    let made = this.#directories.get(directory);
    if (made === undefined) {
      made = makeDirectory(directory);
      this.#directories.set(directory, made);
      made.catch(() => this.#directories.delete(directory));
    }
    await made;
  }
}

/** Writes, counts and hashes. The source is left alone when it is too large, so that its owner can still answer. */
async function write(content: Readable, maxBytes: number, path: string): Promise<StoredContent> {
  const hash = createHash('sha256');
  let size = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content.iterator({ destroyOnReturn: false })) {
      const bytes = toBytes(chunk);
      size += bytes.length;
      if (size > maxBytes)
        throw new CountersignError('payload_too_large', `The artifact is larger than ${maxBytes} bytes.`, { maxBytes });
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
  throw new TypeError('An artifact is made of bytes.');
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) offset += (await handle.write(bytes, offset)).bytesWritten;
}
