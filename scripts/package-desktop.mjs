// Packs the desktop client, by electron-builder:
//
//   npm run package                                   the unpacked application for this platform
//   npm run package -- --linux deb tar.gz AppImage    what is named; also --win nsis, --mac dmg zip
//   npm run package -- --out DIRECTORY               where to, instead of packages/desktop/out
//   npm run package -- --machine-tools …              by what this machine has, instead of what electron-builder downloads
//   npm run package -- --fast …                       less compressed, for looking at it
//
// docs/desktop.md says how it is signed, and where updates come from.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { build, Platform } from 'electron-builder';
import { configuration } from '../packages/desktop/electron-builder.config.mjs';
import { drawIcons } from './packaging/desktop-icons.mjs';
import { toolsOfThisMachine } from './packaging/linux-tools.mjs';
import { addShims } from './packaging/shims.mjs';

const PLATFORMS = { linux: Platform.LINUX, win: Platform.WINDOWS, mac: Platform.MAC };
const OWN = { linux: 'linux', win32: 'win', darwin: 'mac' };
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
const wanted = Object.keys(PLATFORMS).filter((name) => values[name] === true);
if (wanted.length > 1) throw new TypeError('One platform at a time.');
const platform = wanted[0] ?? OWN[process.platform];
const targets = positionals.length === 0 ? ['dir'] : positionals;
const output = resolve(values.out ?? join(desktop, 'out'));

if (!existsSync(join(desktop, 'app/main/main.cjs')))
  throw new Error('The desktop client is not built: `npm run build`.');
const work = mkdtempSync(join(tmpdir(), 'countersign-package-'));
try {
  const dist = distribution();
  const version =
    dist === undefined ? installedVersion() : readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  const project = join(work, 'project');
  const icons = join(work, 'icons');
  await stage(project, Number.parseInt(version, 10) < 25);
  await drawIcons(icons);
  if (values['machine-tools'] === true) Object.assign(process.env, toolsOfThisMachine(join(work, 'tools'), targets));
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

/** What is packed, and nothing else: the bundles and what Electron has to know of them. */
async function stage(project, old) {
  mkdirSync(project, { recursive: true });
  cpSync(join(desktop, 'app'), join(project, 'app'), { recursive: true });
  const { version, license, description } = JSON.parse(readFileSync(join(desktop, 'package.json'), 'utf8'));
  const homepage = process.env['COUNTERSIGN_HOMEPAGE'] ?? 'https://countersign.invalid';
  const main = old ? await addShims(project) : 'app/main/main.cjs';
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
 * The Electron that is packed: that of the machine, where it is this platform's; else electron-builder brings its own. The
 * one that the tests fall back to comes with things of another application, which are left out.
 */
function distribution() {
  if (platform !== OWN[process.platform]) return undefined;
  const found = execFileSync(process.execPath, [fileURLToPath(new URL('electron-for-tests.mjs', import.meta.url))], {
    encoding: 'utf8',
  }).trim();
  if (!existsSync(join(found, 'resources/app'))) return found;
  const clean = join(work, 'electron');
  const foreign = /^(?:AppRun|appimage-runtime|usr|\.DirIcon|resources\/app|[^/]*\.desktop|fiftyone[^/]*)$/;
  cpSync(found, clean, { recursive: true, filter: (source) => !foreign.test(source.slice(found.length + 1)) });
  return clean;
}

function installedVersion() {
  return JSON.parse(
    readFileSync(fileURLToPath(new URL('../node_modules/electron/package.json', import.meta.url)), 'utf8'),
  ).version;
}
