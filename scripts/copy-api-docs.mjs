// Copies the files of the API documentation page (`/api/docs`) into the server package, with their licence and notices.
// Thus the server does not depend on `swagger-ui-dist`, whose dependency `@scarf/scarf` runs a script at installation.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
  'package.json',
];

const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const target = fileURLToPath(new URL('../packages/server/api-docs/', import.meta.url));
const copiedManifest = join(target, 'package.json');
if (
  FILES.every((name) => existsSync(join(target, name))) &&
  readFileSync(copiedManifest, 'utf8') === readFileSync(join(source, 'package.json'), 'utf8')
)
  process.exit(0);
mkdirSync(target, { recursive: true });
// package.json is copied last: if the copying is interrupted, the next build repeats it.
for (const name of FILES) copyFileSync(join(source, name), join(target, name));
