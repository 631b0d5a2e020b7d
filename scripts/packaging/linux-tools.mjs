import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCachePath } from '../user-cache.mjs';

/**
 * Finds the packaging tools on this machine, so that electron-builder does not download them: `7zz` (Debian's 7zip) for
 * archives, `dpkg-deb` for a .deb, `mksquashfs` (squashfs-tools) and `desktop-file-validate` (desktop-file-utils) for
 * an AppImage. The AppImage runtime comes with the fallback Electron of the tests (`node scripts/electron-for-tests.mjs
 * --download`).
 *
 * @param {string} directory target directory for tools that must have a certain folder structure
 * @param {readonly string[]} targets
 * @returns {Readonly<Record<string, string>>} environment variables that tell electron-builder the paths of the tools
 * @throws {Error} if a tool is missing
 */
export function findLocalTools(directory, targets) {
  const environment = {};
  if (targets.some((target) => /^(?:zip|7z|tar\.(?:gz|xz|bz2))$/.test(target)))
    environment['ELECTRON_BUILDER_7ZIP_PATH'] = findProgram('7zz');
  if (targets.includes('deb')) {
    findProgram('dpkg-deb');
    environment['CUSTOM_FPM_PATH'] = fileURLToPath(new URL('fpm-replacement.mjs', import.meta.url));
  }
  if (targets.includes('AppImage')) environment['APPIMAGE_TOOLS_PATH'] = linkAppImageTools(directory);
  return environment;
}

/** Links the tools in the folder structure of electron-builder's `appimage` 1.0.3. */
function linkAppImageTools(directory) {
  const arch = process.arch === 'x64' ? 'x64' : process.arch;
  const runtime = join(getCachePath('electron-22.3.25'), 'appimage-runtime');
  if (!existsSync(runtime))
    throw new Error(
      'The AppImage runtime is missing. Download it with `node scripts/electron-for-tests.mjs --download`.',
    );
  mkdirSync(join(directory, 'lib', arch), { recursive: true });
  mkdirSync(join(directory, 'runtimes'), { recursive: true });
  for (const name of ['mksquashfs', 'desktop-file-validate']) symlinkSync(findProgram(name), join(directory, name));
  symlinkSync(runtime, join(directory, 'runtimes', `runtime-${arch}`));
  return directory;
}

function findProgram(name) {
  const programPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (programPath === undefined)
    throw new Error(`${name} was not found in PATH. Install it, or package without --machine-tools.`);
  return programPath;
}

/** Returns the offset of the content of an AppImage. The bytes before it are the runtime. @returns {number} */
export function readAppImageOffset(image) {
  return Number(execFileSync(image, ['--appimage-offset'], { encoding: 'utf8' }).trim());
}
