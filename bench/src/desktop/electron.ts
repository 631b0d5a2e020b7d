import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** An Electron and the desktop client as it is built. */
export interface Electron {
  /** The directory of the distribution. */
  readonly directory: string;
  readonly version: string;
  readonly executable: string;
  /** What stands before all else on its command line. */
  readonly args: readonly string[];
  /** The directory of the desktop client. */
  readonly application: string;
}

/** @throws {TypeError} where there is none */
export function findElectron(): Electron {
  const { status, stdout } = spawnSync(process.execPath, [join(repository, 'scripts/electron-for-tests.mjs')], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new TypeError('There is no Electron: `node scripts/electron-for-tests.mjs --download` brings one.');
  const directory = stdout.trim();
  const version = readFileSync(join(directory, 'version'), 'utf8').trim().replace(/^v/, '');
  const old = Number.parseInt(version, 10) < 25;
  return {
    directory,
    version,
    executable: join(directory, process.platform === 'win32' ? 'electron.exe' : 'electron'),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      ...(old ? ['-r', join(repository, 'scripts/electron-fall-back/old-node.cjs')] : []),
    ],
    application: join(repository, 'packages/desktop'),
  };
}

/** A file beside this package's sources. */
export function benchFile(path: string): string {
  return join(repository, 'bench', path);
}
