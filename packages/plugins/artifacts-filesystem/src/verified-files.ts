import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Files that are remembered as verified. */
const MAX_REMEMBERED = 10_000;
/**
 * How exact the times of files are at worst, in ms: what is written within it may leave them as they are. So a file that was
 * written just now is not remembered, as Git does with its index ("racy Git").
 */
const TIMES_DIFFER_MS = 100;

/**
 * Which files hold what their names say. A file is hashed as a whole before a byte of it is given out, and again when its
 * inode, size or times differ from those that it had then.
 */
export class VerifiedFiles {
  /** By digest, what was seen of the file; the oldest first. */
  readonly #seen = new Map<string, string>();

  /**
   * Compares the bytes behind a handle with a SHA-256 (hex). Leaves the position of the handle alone.
   *
   * @returns what tells later whether the file {@link isUnchanged}; `undefined` where the bytes are others
   */
  async verify(handle: FileHandle, sha256: string): Promise<string | undefined> {
    const before = await fingerprintOf(handle);
    if (this.#seen.get(sha256) === before) return before;
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== sha256) {
      this.#seen.delete(sha256);
      return undefined;
    }
    // A file that was written to meanwhile is verified again the next time.
    if ((await isUnchanged(handle, before)) && (await isSettled(handle))) this.#remember(sha256, before);
    return before;
  }

  #remember(sha256: string, fingerprint: string): void {
    this.#seen.delete(sha256);
    this.#seen.set(sha256, fingerprint);
    const oldest = this.#seen.keys().next();
    if (this.#seen.size > MAX_REMEMBERED && oldest.done !== true) this.#seen.delete(oldest.value);
  }
}

/** Whether a file is as it was when it was verified. */
export async function isUnchanged(handle: FileHandle, fingerprint: string): Promise<boolean> {
  return (await fingerprintOf(handle)) === fingerprint;
}

/** Whether a change from now on shows in the times of the file. They are those of the clock of the file system, which may be another machine's. */
async function isSettled(handle: FileHandle): Promise<boolean> {
  const { mtimeMs, ctimeMs } = await handle.stat();
  return Math.abs(Date.now() - Math.max(mtimeMs, ctimeMs)) > TIMES_DIFFER_MS;
}

async function fingerprintOf(handle: FileHandle): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}
