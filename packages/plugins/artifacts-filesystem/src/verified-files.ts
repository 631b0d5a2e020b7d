import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Files that are remembered as verified. */
const MAX_REMEMBERED = 10_000;
/**
 * How exact the times of files are at worst, in ms: what is written within it may leave them as they are. So a file that was
 * written just before it is read is not remembered, as Git does with its index ("racy Git").
 */
const TIMES_DIFFER_MS = 100;

/**
 * Which files hold what their names say. A file is hashed as a whole before a byte of it is given out, and again when its
 * inode, size or times differ from those that it had then.
 */
export class VerifiedFiles {
  /** By digest, what was seen of the file; the oldest first. */
  readonly #seen = new Map<string, string>();

  /** @param now milliseconds since the epoch, by the clock of the system, as files have it */
  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Compares the bytes behind a handle with a SHA-256 (hex). Leaves the position of the handle alone.
   *
   * @returns what tells later whether the file {@link isUnchanged}; `undefined` where the bytes are others
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
    // Times that may be those of another machine's clock, behind this one or ahead.
    const showsChanges = Math.abs(since - changedAt) > TIMES_DIFFER_MS;
    // A file that was written to meanwhile is verified again the next time.
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

/** Whether a file is as it was when it was verified. */
export async function isUnchanged(handle: FileHandle, fingerprint: string): Promise<boolean> {
  return (await lookAt(handle)).fingerprint === fingerprint;
}

/** @returns `changedAt` in milliseconds since the epoch, by the clock of the file system */
async function lookAt(handle: FileHandle): Promise<{ fingerprint: string; changedAt: number }> {
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = await handle.stat({ bigint: true });
  const changedAt = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  return { fingerprint: [dev, ino, size, mtimeNs, ctimeNs].join(), changedAt };
}
