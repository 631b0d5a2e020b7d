import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { within } from '../measure/within.js';
import { KEYCHAIN } from './desktop-client.js';
import { benchFile, type Electron } from './electron.js';
import type { Surroundings } from './surroundings.js';

export interface StartTime {
  /** ms until the rows were painted. */
  readonly rows: number;
  /** ms until the effect of a key was painted. */
  readonly usable: number;
}

interface StartOptions {
  readonly electron: Electron;
  readonly surroundings: Surroundings;
  /** Signed-in profile. */
  readonly userData: string;
  /** Whether to start without Chromium's caches, and with the files of Electron and the client read from disk. */
  readonly cold: boolean;
}

/**
 * Starts the client like a user, without a debugger, and closes it.
 *
 * @returns ms since its process was started
 */
export async function startTime({ electron, surroundings, userData, cold }: StartOptions): Promise<StartTime> {
  if (cold) forget(electron, userData);
  const startedAt = Date.now();
  const child = spawn(
    electron.executable,
    [
      ...electron.args,
      '-r',
      benchFile('desktop/when-usable.cjs'),
      ...KEYCHAIN,
      `--user-data-dir=${userData}`,
      electron.application,
    ],
    {
      env: { ...process.env, LANG: 'en_GB.UTF-8', ...surroundings.env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const ended = once(child, 'exit');
  try {
    const readings = new Promise<{ rowsAt: number; keyAt: number }>((resolve) => {
      createInterface({ input: child.stdout }).on(
        'line',
        (line) => line.startsWith('{"rowsAt"') && resolve(JSON.parse(line) as { rowsAt: number; keyAt: number }),
      );
    });
    const { rowsAt, keyAt } = await within(30_000, 'The client did not reach its inbox.', readings);
    return { rows: rowsAt - startedAt, usable: keyAt - startedAt };
  } finally {
    child.kill();
    await ended;
  }
}

const CACHES = ['Cache', 'Code Cache', 'GPUCache', 'DawnCache'];

function forget(electron: Electron, userData: string): void {
  for (const directory of [userData, ...partitionsOf(userData)])
    for (const cache of CACHES) rmSync(join(directory, cache), { recursive: true, force: true });
  if (process.platform !== 'linux') return;
  for (const directory of [electron.directory, join(electron.application, 'app')]) {
    // Evicts only these files from the page cache.
    for (const file of filesBelow(directory))
      spawnSync('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], { stdio: 'ignore' });
  }
}

function partitionsOf(userData: string): string[] {
  const directory = join(userData, 'Partitions');
  return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
