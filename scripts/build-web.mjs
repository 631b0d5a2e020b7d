// Builds the web UI if an input has changed since the last build. Also writes compressed copies of the files, so that
// the server does not compress them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { writeNotices } from './notices/write-notices.mjs';

const web = fileURLToPath(new URL('../packages/web/', import.meta.url));
const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const bundle = join(web, 'bundle');
const digestFile = join(bundle, '.built-of');

const inputs = [
  ...listFiles(join(web, 'src')).filter((file) => !/\.spec(\.support)?\.tsx?$/.test(file)),
  ...listFiles(join(web, 'public')),
  join(web, 'index.html'),
  join(web, 'vite.config.mjs'),
  ...readdirSync(join(packages, 'inbox-ui'))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(packages, 'inbox-ui', name)),
  join(web, 'package.json'),
  ...listFiles(fileURLToPath(new URL('notices/', import.meta.url))),
  ...['inbox-ui', 'contract', 'model']
    .flatMap((name) => listFiles(join(packages, name, 'src')))
    .filter((file) => !file.includes('.spec.')),
  fileURLToPath(new URL('../package-lock.json', import.meta.url)),
  fileURLToPath(import.meta.url),
].sort();
const hash = createHash('sha256');
for (const file of inputs) hash.update(file.slice(web.length)).update('\0').update(readFileSync(file)).update('\0');
const digest = hash.digest('hex');
if (existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest) process.exit(0);

process.stderr.write('Building the web UI…\n');
// The server serves the old bundle until the new one is complete.
const newBundle = join(web, `.bundle-${process.pid}`);
const { build } = await import('vite');
await build({ root: web, configFile: join(web, 'vite.config.mjs'), logLevel: 'warn', build: { outDir: newBundle } });
writeNotices([newBundle], join(newBundle, 'third-party-notices.txt'));
for (const file of listFiles(newBundle)) {
  const content = readFileSync(file);
  if (
    content.length < 1024 ||
    !/\.(js|css|svg|html|json|txt)$/.test(file) ||
    /(^|[/\\])(index\.html|\.[^/\\]+)$/.test(file)
  )
    continue;
  writeFileSync(`${file}.br`, brotliCompressSync(content));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
writeFileSync(join(newBundle, '.built-of'), digest);
rmSync(bundle, { recursive: true, force: true });
renameSync(newBundle, bundle);

function listFiles(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
