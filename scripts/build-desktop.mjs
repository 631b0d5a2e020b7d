// Builds the desktop client, unless nothing that it is built of has changed since.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const desktop = join(packages, 'desktop');
const mark = join(desktop, 'app', '.built-of');

const inputs = [
  ...['desktop', 'web', 'contract']
    .flatMap((name) => filesOf(join(packages, name, 'src')))
    .filter((file) => !/\.spec(\.support)?\.tsx?$/.test(file)),
  join(desktop, 'electron.vite.config.mjs'),
  join(packages, 'web', 'without-compiling-validator.mjs'),
  join(desktop, 'package.json'),
  fileURLToPath(new URL('../package-lock.json', import.meta.url)),
  fileURLToPath(import.meta.url),
].sort();
const hash = createHash('sha256');
for (const file of inputs)
  hash.update(file.slice(packages.length)).update('\0').update(readFileSync(file)).update('\0');
const digest = hash.digest('hex');
if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) process.exit(0);

process.stderr.write('Building the desktop client …\n');
process.chdir(desktop);
process.env['NODE_ENV'] = 'production';
const { build } = await import('electron-vite');
await build({ root: desktop, configFile: join(desktop, 'electron.vite.config.mjs'), logLevel: 'warn' });
writeFileSync(mark, digest);

function filesOf(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
