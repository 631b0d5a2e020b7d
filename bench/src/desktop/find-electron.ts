import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Electron and the built desktop client. */
export interface Electron {
  /** Directory of the distribution. */
  readonly directory: string;
  readonly version: string;
  readonly executable: string;
  /** First arguments of its command line. */
  readonly args: readonly string[];
  /** Directory of the desktop client. */
  readonly application: string;
}

/**
 * @param checkout directory of the checkout whose client is used; by default this one
 * @throws {TypeError} if Electron was not found
 */
export function findElectron(checkout = repositoryRoot): Electron {
  const { status, stdout } = spawnSync(process.execPath, [join(repositoryRoot, 'scripts/electron-for-tests.mjs')], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new TypeError('Electron was not found. Run `node scripts/electron-for-tests.mjs --download`.');
  const directory = stdout.trim();
  const version = readFileSync(join(directory, 'version'), 'utf8').trim().replace(/^v/, '');
  const isOld = Number.parseInt(version, 10) < 25;
  return {
    directory,
    version,
    executable: join(directory, process.platform === 'win32' ? 'electron.exe' : 'electron'),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      ...(isOld ? ['-r', join(repositoryRoot, 'scripts/electron-fall-back/old-node.cjs')] : []),
    ],
    application: join(checkout, 'packages/desktop'),
  };
}

/** Returns the absolute path of a file in the directory of this package. */
export function resolveBenchFile(path: string): string {
  return join(repositoryRoot, 'bench', path);
}
