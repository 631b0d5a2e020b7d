import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withTimeout } from '../measure/with-timeout.js';
import { KEYCHAIN_ARGS } from './desktop-client.js';
import { resolveBenchFile, type Electron } from './find-electron.js';
import type { DesktopEnvironment } from './desktop-environment.js';

export interface StartTime {
  /** Time until the rows were painted. */
  readonly rowsMs: number;
  /** Time until the effect of a key was painted. */
  readonly usableMs: number;
}

interface StartOptions {
  readonly electron: Electron;
  readonly environment: DesktopEnvironment;
  /** Signed-in profile. */
  readonly userData: string;
  /** Whether to start without Chromium's caches, and with the files of Electron and the client read from disk. */
  readonly cold: boolean;
}

/**
 * Starts the client as a user would, without a debugger, and closes it.
 *
 * @returns ms since its process was started
 */
export async function measureStart({ electron, environment, userData, cold }: StartOptions): Promise<StartTime> {
  if (cold) clearCaches(electron, userData);
  const startedAt = Date.now();
  const child = spawn(
    electron.executable,
    [
      ...electron.args,
      '-r',
      resolveBenchFile('desktop/when-usable.cjs'),
      ...KEYCHAIN_ARGS,
      `--user-data-dir=${userData}`,
      electron.application,
    ],
    {
      env: { ...process.env, LANG: 'en_GB.UTF-8', ...environment.env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const exited = once(child, 'exit');
  try {
    const readings = new Promise<{ rowsAt: number; keyAt: number }>((resolve) => {
      createInterface({ input: child.stdout }).on(
        'line',
        (line) => line.startsWith('{"rowsAt"') && resolve(JSON.parse(line) as { rowsAt: number; keyAt: number }),
      );
    });
    const { rowsAt, keyAt } = await withTimeout(30_000, 'The client did not reach its inbox.', readings);
    return { rowsMs: rowsAt - startedAt, usableMs: keyAt - startedAt };
  } finally {
    child.kill();
    await exited;
  }
}

const CACHE_DIRECTORIES = ['Cache', 'Code Cache', 'GPUCache', 'DawnCache'];

function clearCaches(electron: Electron, userData: string): void {
  for (const directory of [userData, ...listPartitions(userData)])
    for (const cache of CACHE_DIRECTORIES) rmSync(join(directory, cache), { recursive: true, force: true });
  if (process.platform !== 'linux') return;
  for (const directory of [electron.directory, join(electron.application, 'app')]) {
    // Evicts only these files from the page cache.
    for (const file of listFiles(directory))
      spawnSync('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], { stdio: 'ignore' });
  }
}

function listPartitions(userData: string): string[] {
  const directory = join(userData, 'Partitions');
  return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
