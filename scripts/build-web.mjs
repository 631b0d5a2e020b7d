// Builds the web UI, unless nothing that it is built of has changed since. Each file is compressed as well, so that the
// server need not.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { writeNotices } from './notices/write-notices.mjs';

const web = fileURLToPath(new URL('../packages/web/', import.meta.url));
const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const bundle = join(web, 'bundle');
const mark = join(bundle, '.built-of');

const inputs = [
  ...filesOf(join(web, 'src')).filter((file) => !/\.spec(\.support)?\.tsx?$/.test(file)),
  ...filesOf(join(web, 'public')),
  join(web, 'index.html'),
  join(web, 'vite.config.mjs'),
  ...['bundled-from-sources.mjs', 'without-compiling-validator.mjs'].map((name) => join(packages, 'inbox-ui', name)),
  join(web, 'package.json'),
  ...filesOf(fileURLToPath(new URL('notices/', import.meta.url))),
  ...['inbox-ui', 'contract', 'model']
    .flatMap((name) => filesOf(join(packages, name, 'src')))
    .filter((file) => !file.includes('.spec.')),
  fileURLToPath(new URL('../package-lock.json', import.meta.url)),
  fileURLToPath(import.meta.url),
].sort();
const hash = createHash('sha256');
for (const file of inputs) hash.update(file.slice(web.length)).update('\0').update(readFileSync(file)).update('\0');
const digest = hash.digest('hex');
if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) process.exit(0);

process.stderr.write('Building the web UI …\n');
// Beside the old one, which is served until the new one is whole.
const fresh = join(web, `.bundle-${process.pid}`);
const { build } = await import('vite');
await build({ root: web, configFile: join(web, 'vite.config.mjs'), logLevel: 'warn', build: { outDir: fresh } });
writeNotices([fresh], join(fresh, 'third-party-notices.txt'));
for (const file of filesOf(fresh)) {
  const content = readFileSync(file);
  if (
    content.length < 1024 ||
    !/\.(js|css|svg|html|json|txt)$/.test(file) ||
    /(^|[/\\])(index\.html|\.[^/\\]+)$/.test(file)
  )
    continue;
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
writeFileSync(join(fresh, '.built-of'), digest);
rmSync(bundle, { recursive: true, force: true });
renameSync(fresh, bundle);

function filesOf(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
