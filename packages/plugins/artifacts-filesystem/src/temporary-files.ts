import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { readErrorCode, undefinedIfMissing } from './node-error.js';

/**
 * Age in ms from which a file counts as abandoned even if its process may still be running: uploads take minutes, not
 * days.
 */
const ABANDONED_AFTER_MS = 86_400_000;
const NAME_PATTERN = /^(?<host>[0-9A-Za-z-]{1,63})\.(?<pid>\d+)\.[0-9a-f-]{36}$/;

/** Files being written, each named after its machine and process. */
export class TemporaryFiles {
  readonly #directory: string;
  readonly #host =
    hostname()
      .replace(/[^0-9A-Za-z-]/g, '-')
      .slice(0, 63) || 'localhost';
  readonly #ownNames = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns an unused path. This process does not remove the file as abandoned before it is discarded. */
  reservePath(): string {
    const name = `${this.#host}.${process.pid}.${randomUUID()}`;
    this.#ownNames.add(name);
    return join(this.#directory, name);
  }

  /** Removes the file if it still exists. */
  async discard(path: string): Promise<void> {
    this.#ownNames.delete(path.slice(this.#directory.length + 1));
    await rm(path, { force: true });
  }

  /**
   * Removes the files of killed processes. A file whose process is running, or is on another machine, is kept until it
   * is a day old.
   *
   * @returns number of removed files
   */
  async removeAbandoned(): Promise<number> {
    let removedCount = 0;
    for (const name of (await undefinedIfMissing(readdir(this.#directory))) ?? []) {
      const path = join(this.#directory, name);
      if (this.#ownNames.has(name) || !(await this.#isAbandoned(name, path))) continue;
      await rm(path, { force: true });
      removedCount += 1;
    }
    return removedCount;
  }

  async #isAbandoned(name: string, path: string): Promise<boolean> {
    const { host, pid } = NAME_PATTERN.exec(name)?.groups ?? {};
    if (host === undefined || pid === undefined) return false;
    // An unknown file with this process's own id is from an earlier process with that id, as in a container.
    if (host === this.#host && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
    const stats = await undefinedIfMissing(stat(path));
    return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return readErrorCode(error) !== 'ESRCH';
  }
}
