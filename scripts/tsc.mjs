// Runs the TypeScript 7 compiler. It is installed under another name, because typescript-eslint
// still needs the JavaScript API of TypeScript 6, which holds the name `typescript`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Packages that came with a pull, since the last `npm install`, are linked as that would.
for (const parent of ['packages/', 'packages/plugins/']) {
  for (const name of readdirSync(new URL(`../${parent}`, import.meta.url))) {
    if (!existsSync(new URL(`../${parent}${name}/package.json`, import.meta.url))) continue;
    const link = new URL(`../node_modules/@countersign/${name}`, import.meta.url);
    if (!existsSync(link)) symlinkSync(`../../${parent}${name}`, link, 'junction');
  }
}

// The version stands in package.json alone, which is not there to be read where the package was bundled.
const { version } = JSON.parse(readFileSync(new URL('../packages/core/package.json', import.meta.url), 'utf8'));
const generated = new URL('../packages/core/src/host/version.generated.ts', import.meta.url);
const source = `// Written by scripts/tsc.mjs, from package.json.\nexport const VERSION = '${version}';\n`;
if (!existsSync(generated) || readFileSync(generated, 'utf8') !== source) writeFileSync(generated, source);

const compiler = fileURLToPath(new URL('../node_modules/typescript-7/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
