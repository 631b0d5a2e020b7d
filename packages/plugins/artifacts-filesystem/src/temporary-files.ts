import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode, unlessMissing } from './node-error.js';

/** Uploads last minutes, not days: what is older belongs to nobody any more. */
const ABANDONED_AFTER_MS = 86_400_000;
const NAME = /^(?<host>[0-9A-Za-z-]{1,63})\.(?<pid>\d+)\.[0-9a-f-]{36}$/;

/** Files that are being written, each named after the machine and process that writes it. */
export class TemporaryFiles {
  readonly #directory: string;
  readonly #host =
    hostname()
      .replace(/[^0-9A-Za-z-]/g, '-')
      .slice(0, 63) || 'localhost';
  readonly #own = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** A path that nothing stands at. */
  create(): string {
    const name = `${this.#host}.${process.pid}.${randomUUID()}`;
    this.#own.add(name);
    return join(this.#directory, name);
  }

  /** Removes the file if it is still there. */
  async discard(path: string): Promise<void> {
    this.#own.delete(path.slice(this.#directory.length + 1));
    await rm(path, { force: true });
  }

  /**
   * Removes what processes left behind that were killed. Those of other servers on the same directory stay.
   *
   * @returns how many there were.
   */
  async clean(): Promise<number> {
    let removed = 0;
    for (const name of (await unlessMissing(readdir(this.#directory))) ?? []) {
      const path = join(this.#directory, name);
      if (this.#own.has(name) || !(await this.#isAbandoned(name, path))) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  async #isAbandoned(name: string, path: string): Promise<boolean> {
    const { host, pid } = NAME.exec(name)?.groups ?? {};
    if (host === undefined || pid === undefined) return false;
    // This process's own number on a file that it does not know is that of a process before it, as in a container.
    if (host === this.#host && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
    const found = await unlessMissing(stat(path));
    return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
