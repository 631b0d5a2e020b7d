// Runs the TypeScript 7 compiler. It is installed as `typescript-7`, because typescript-eslint still needs the
// JavaScript API of TypeScript 6, which is installed as `typescript`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Links packages that a `git pull` added after the last `npm install`, as `npm install` would do.
for (const parent of ['packages/', 'packages/plugins/']) {
  for (const name of readdirSync(new URL(`../${parent}`, import.meta.url))) {
    if (!existsSync(new URL(`../${parent}${name}/package.json`, import.meta.url))) continue;
    const link = new URL(`../node_modules/@countersign/${name}`, import.meta.url);
    if (!existsSync(link)) symlinkSync(`../../${parent}${name}`, link, 'junction');
  }
}

// Only package.json contains the version. Bundled code cannot read that file, so the version is also generated as a
// module.
const { version } = JSON.parse(readFileSync(new URL('../packages/core/package.json', import.meta.url), 'utf8'));
const generated = new URL('../packages/core/src/host/version.generated.ts', import.meta.url);
const source = `// Written by scripts/tsc.mjs, from package.json.\nexport const VERSION = '${version}';\n`;
if (!existsSync(generated) || readFileSync(generated, 'utf8') !== source) writeFileSync(generated, source);

const compiler = fileURLToPath(new URL('../node_modules/typescript-7/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
