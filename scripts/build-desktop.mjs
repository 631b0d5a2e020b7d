// Builds the desktop client if an input has changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNotices } from './notices/write-notices.mjs';
import { drawTrayIcons, TRAY_SOURCE } from './tray-icons.mjs';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const desktop = join(packages, 'desktop');
const digestFile = join(desktop, 'app', '.built-of');

const inputs = [
  ...['desktop', 'inbox-ui', 'contract', 'model']
    .flatMap((name) => listFiles(join(packages, name, 'src')))
    .filter((file) => !/\.spec(\.support)?\.tsx?$/.test(file)),
  ...listFiles(fileURLToPath(new URL('notices/', import.meta.url))),
  TRAY_SOURCE,
  fileURLToPath(new URL('tray-icons.mjs', import.meta.url)),
  join(desktop, 'electron.vite.config.mjs'),
  ...readdirSync(join(packages, 'inbox-ui'))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(packages, 'inbox-ui', name)),
  join(desktop, 'package.json'),
  fileURLToPath(new URL('../package-lock.json', import.meta.url)),
  fileURLToPath(import.meta.url),
].sort();
const hash = createHash('sha256');
for (const file of inputs)
  hash.update(file.slice(packages.length)).update('\0').update(readFileSync(file)).update('\0');
const digest = hash.digest('hex');
if (existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest) process.exit(0);

process.stderr.write('Building the desktop client…\n');
process.chdir(desktop);
process.env['NODE_ENV'] = 'production';
const { build } = await import('electron-vite');
await build({ root: desktop, configFile: join(desktop, 'electron.vite.config.mjs'), logLevel: 'warn' });
writeNotices(
  ['main', 'preload', 'renderer'].map((name) => join(desktop, 'app', name)),
  join(desktop, 'app', 'renderer', 'third-party-notices.txt'),
);
await drawTrayIcons(join(desktop, 'app', 'icons'));
writeFileSync(digestFile, digest);

function listFiles(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
