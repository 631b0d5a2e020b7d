import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What electron-builder packs with, from this machine rather than from where it downloads it: `7zz` (Debian's 7zip) for
 * archives, `dpkg-deb` for a .deb, `mksquashfs` (squashfs-tools) and `desktop-file-validate` (desktop-file-utils) for an
 * AppImage, whose runtime comes with the Electron that the tests fall back to (`node scripts/electron-for-tests.mjs --download`).
 *
 * @param {string} directory for what has to be laid out in a certain way
 * @param {readonly string[]} targets
 * @returns {Readonly<Record<string, string>>} what electron-builder finds them by, in its environment
 * @throws {Error} naming what is missing
 */
export function toolsOfThisMachine(directory, targets) {
  const found = {};
  if (targets.some((target) => /^(?:zip|7z|tar\.(?:gz|xz|bz2))$/.test(target)))
    found['ELECTRON_BUILDER_7ZIP_PATH'] = program('7zz');
  if (targets.includes('deb')) {
    program('dpkg-deb');
    found['CUSTOM_FPM_PATH'] = fileURLToPath(new URL('fpm-by-dpkg-deb.mjs', import.meta.url));
  }
  if (targets.includes('AppImage')) found['APPIMAGE_TOOLS_PATH'] = appImageTools(directory);
  return found;
}

/** As the tools of electron-builder's `appimage` 1.0.3 lie. */
function appImageTools(directory) {
  const arch = process.arch === 'x64' ? 'x64' : process.arch;
  const runtime = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'countersign/electron-22.3.25/appimage-runtime',
  );
  if (!existsSync(runtime))
    throw new Error('There is no runtime of AppImages: `node scripts/electron-for-tests.mjs --download` brings one.');
  mkdirSync(join(directory, 'lib', arch), { recursive: true });
  mkdirSync(join(directory, 'runtimes'), { recursive: true });
  for (const name of ['mksquashfs', 'desktop-file-validate']) symlinkSync(program(name), join(directory, name));
  symlinkSync(runtime, join(directory, 'runtimes', `runtime-${arch}`));
  return directory;
}

function program(name) {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((each) => join(each, name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`There is no ${name} on this machine.`);
  return found;
}

/** @returns {number} where the content of an AppImage begins: all before it is its runtime */
export function offsetOfAppImage(image) {
  return Number(execFileSync(image, ['--appimage-offset'], { encoding: 'utf8' }).trim());
}
