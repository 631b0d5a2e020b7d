import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Number of files remembered as verified. */
const MAX_REMEMBERED = 10_000;
/**
 * Worst resolution of file times, in ms: a write within it may leave them unchanged. So a file written just before it
 * is read is not remembered, as in Git's index ("racy Git").
 */
const TIMES_DIFFER_MS = 100;

/**
 * Verifies that files match their names. A file is hashed as a whole before any byte is returned, and again if its
 * inode, size or times differ from those at that time.
 */
export class VerifiedFiles {
  /** Fingerprints of files by digest, oldest first. */
  readonly #seen = new Map<string, string>();

  /** @param now milliseconds since the epoch, by the system clock, as in file times */
  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Compares the bytes of a handle with a SHA-256 (hex) without moving the position of the handle.
   *
   * @returns fingerprint for {@link isUnchanged}; `undefined` if the bytes differ
   */
  async verify(handle: FileHandle, sha256: string): Promise<string | undefined> {
    const since = this.now();
    const { fingerprint: before, changedAt } = await lookAt(handle);
    if (this.#seen.get(sha256) === before) return before;
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== sha256) {
      this.#seen.delete(sha256);
      return undefined;
    }
    // The times may be from another machine's clock, ahead of this one or behind it.
    const showsChanges = Math.abs(since - changedAt) > TIMES_DIFFER_MS;
    // A file that was written in the meantime is verified again next time.
    if (showsChanges && (await isUnchanged(handle, before))) this.#remember(sha256, before);
    return before;
  }

  #remember(sha256: string, fingerprint: string): void {
    this.#seen.delete(sha256);
    this.#seen.set(sha256, fingerprint);
    const oldest = this.#seen.keys().next();
    if (this.#seen.size > MAX_REMEMBERED && oldest.done !== true) this.#seen.delete(oldest.value);
  }
}

/** Returns whether a file is unchanged since its verification. */
export async function isUnchanged(handle: FileHandle, fingerprint: string): Promise<boolean> {
  return (await lookAt(handle)).fingerprint === fingerprint;
}

/** @returns `changedAt` in milliseconds since the epoch, by the clock of the file system */
async function lookAt(handle: FileHandle): Promise<{ fingerprint: string; changedAt: number }> {
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = await handle.stat({ bigint: true });
  const changedAt = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  return { fingerprint: [dev, ino, size, mtimeNs, ctimeNs].join(), changedAt };
}
