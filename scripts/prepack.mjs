// Builds the package that npm is about to pack. Omits source maps, because the sources are not in the package. In the
// root, where lerna starts the packing, all packages are built together, so the builds of the single packages find
// nothing to do.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
const compile = (...projects) => run('tsc.mjs', '-b', ...projects, '--sourceMap', 'false', '--declarationMap', 'false');

if (name === 'countersign-monorepo') compile('packages/server', 'packages/testing');
else if (name === '@countersign/web') run('build-web.mjs');
else compile('.');
if (name === '@countersign/server') run('copy-api-docs.mjs');

function run(script, ...options) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}
