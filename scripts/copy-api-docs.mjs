// Copies what the page of the API (`/api/docs`) is made of into the server's package, with its licence and notices. So whoever
// installs the server does not install `swagger-ui-dist`, whose dependency `@scarf/scarf` runs a script at installation.
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
const mark = join(target, 'package.json');
if (
  FILES.every((name) => existsSync(join(target, name))) &&
  readFileSync(mark, 'utf8') === readFileSync(join(source, 'package.json'), 'utf8')
)
  process.exit(0);
mkdirSync(target, { recursive: true });
// The mark comes last, so that what was cut off is made again.
for (const name of FILES) copyFileSync(join(source, name), join(target, name));
