// Packages the desktop client with electron-builder:
//
//   npm run package                                   the unpacked application for this platform
//   npm run package -- --linux deb tar.gz AppImage    the named targets; also --win nsis, --mac dmg zip
//   npm run package -- --out DIRECTORY                the output directory; default: packages/desktop/out
//   npm run package -- --machine-tools …              with tools of this machine instead of downloaded ones
//   npm run package -- --fast …                       with less compression, for trials
//
// docs/desktop.md describes the signing and the source of updates.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { build, Platform } from 'electron-builder';
import { configuration } from '../packages/desktop/electron-builder.config.mjs';
import { drawIcons } from './packaging/desktop-icons.mjs';
import { findLocalTools } from './packaging/linux-tools.mjs';
import { addShims } from './packaging/shims.mjs';

const PLATFORMS = { linux: Platform.LINUX, win: Platform.WINDOWS, mac: Platform.MAC };
const PLATFORM_NAMES = { linux: 'linux', win32: 'win', darwin: 'mac' };
const desktop = fileURLToPath(new URL('../packages/desktop/', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'linux': { type: 'boolean' },
    'win': { type: 'boolean' },
    'mac': { type: 'boolean' },
    'out': { type: 'string' },
    'machine-tools': { type: 'boolean' },
    'fast': { type: 'boolean' },
  },
});
const requestedPlatforms = Object.keys(PLATFORMS).filter((name) => values[name] === true);
if (requestedPlatforms.length > 1)
  throw new TypeError('More than one platform was given. Give only one of --linux, --win and --mac.');
const platform = requestedPlatforms[0] ?? PLATFORM_NAMES[process.platform];
const targets = positionals.length === 0 ? ['dir'] : positionals;
const output = resolve(values.out ?? join(desktop, 'out'));

if (!existsSync(join(desktop, 'app/main/main.cjs')))
  throw new Error('The desktop client is not built. Run `npm run build`.');
const work = mkdtempSync(join(tmpdir(), 'countersign-package-'));
try {
  const dist = findDistribution();
  const version =
    dist === undefined ? getInstalledVersion() : readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  const project = join(work, 'project');
  const icons = join(work, 'icons');
  await stageProject(project, Number.parseInt(version, 10) < 25);
  await drawIcons(icons);
  if (values['machine-tools'] === true) Object.assign(process.env, findLocalTools(join(work, 'tools'), targets));
  await build({
    targets: PLATFORMS[platform].createTarget(targets),
    projectDir: project,
    publish: 'never',
    config: {
      ...(values.fast === true ? { compression: 'store', deb: { compression: 'gz' } } : {}),
      ...configuration({ env: process.env, icons, output, electronVersion: version }),
      ...(dist === undefined ? {} : { electronDist: dist }),
    },
  });
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 });
}

/** Creates a project that contains only the packaged files: the bundles, and a package.json for Electron. */
async function stageProject(project, isOldNode) {
  mkdirSync(project, { recursive: true });
  cpSync(join(desktop, 'app'), join(project, 'app'), { recursive: true });
  const { version, license, description } = JSON.parse(readFileSync(join(desktop, 'package.json'), 'utf8'));
  const homepage = process.env['COUNTERSIGN_HOMEPAGE'] ?? 'https://countersign.invalid';
  const main = isOldNode ? await addShims(project) : 'app/main/main.cjs';
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({
      name: 'countersign',
      productName: 'Countersign',
      version,
      description,
      license,
      author: 'Countersign',
      homepage,
      main,
      desktopName: 'countersign.desktop',
    }),
  );
}

/**
 * Returns the directory of the local Electron distribution, or `undefined` if the target is another platform:
 * electron-builder then downloads Electron. The fallback Electron of the tests contains files of another application,
 * which the returned copy omits.
 */
function findDistribution() {
  if (platform !== PLATFORM_NAMES[process.platform]) return undefined;
  const directory = execFileSync(
    process.execPath,
    [fileURLToPath(new URL('electron-for-tests.mjs', import.meta.url))],
    {
      encoding: 'utf8',
    },
  ).trim();
  if (!existsSync(join(directory, 'resources/app'))) return directory;
  const cleanCopy = join(work, 'electron');
  const foreignFiles = /^(?:AppRun|appimage-runtime|usr|\.DirIcon|resources\/app|[^/]*\.desktop|fiftyone[^/]*)$/;
  cpSync(directory, cleanCopy, {
    recursive: true,
    filter: (source) => !foreignFiles.test(source.slice(directory.length + 1)),
  });
  return cleanCopy;
}

function getInstalledVersion() {
  return JSON.parse(
    readFileSync(fileURLToPath(new URL('../node_modules/electron/package.json', import.meta.url)), 'utf8'),
  ).version;
}
