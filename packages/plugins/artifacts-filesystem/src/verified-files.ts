import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Maximum number of files that are remembered as verified. */
const MAX_VERIFIED_FILES = 10_000;
/**
 * Coarsest resolution of file times, in ms: a write within this time may leave them unchanged. For this reason, a file
 * that was written just before it is read is not remembered, as in Git's index ("racy Git").
 */
const FILE_TIME_RESOLUTION_MS = 100;

/**
 * Verifies that files match their names. A verified file is remembered and hashed again only if its device, inode, size
 * or times have changed.
 */
export class VerifiedFiles {
  /** Fingerprints of files by digest, oldest first. */
  readonly #fingerprints = new Map<string, string>();

  /** @param now milliseconds since the epoch, by the system clock, as in file times */
  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Compares the bytes of a handle with a SHA-256 (hex) without moving the position of the handle.
   *
   * @returns fingerprint for {@link isUnchanged}; `undefined` if the bytes differ
   */
  async verify(handle: FileHandle, sha256: string): Promise<string | undefined> {
    const startedAt = this.now();
    const { fingerprint, changedAt } = await readFingerprint(handle);
    if (this.#fingerprints.get(sha256) === fingerprint) return fingerprint;
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== sha256) {
      this.#fingerprints.delete(sha256);
      return undefined;
    }
    // The times may be from another machine's clock, ahead of this one or behind it.
    const canDetectChanges = Math.abs(startedAt - changedAt) > FILE_TIME_RESOLUTION_MS;
    // A file that was written in the meantime is verified again next time.
    if (canDetectChanges && (await isUnchanged(handle, fingerprint))) this.#remember(sha256, fingerprint);
    return fingerprint;
  }

  #remember(sha256: string, fingerprint: string): void {
    this.#fingerprints.delete(sha256);
    this.#fingerprints.set(sha256, fingerprint);
    const oldest = this.#fingerprints.keys().next();
    if (this.#fingerprints.size > MAX_VERIFIED_FILES && oldest.done !== true) this.#fingerprints.delete(oldest.value);
  }
}

/** Returns whether a file is unchanged since its verification. */
export async function isUnchanged(handle: FileHandle, fingerprint: string): Promise<boolean> {
  return (await readFingerprint(handle)).fingerprint === fingerprint;
}

/** @returns `changedAt` in milliseconds since the epoch, by the clock of the file system */
async function readFingerprint(handle: FileHandle): Promise<{ fingerprint: string; changedAt: number }> {
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = await handle.stat({ bigint: true });
  const changedAt = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  return { fingerprint: [dev, ino, size, mtimeNs, ctimeNs].join(), changedAt };
}
