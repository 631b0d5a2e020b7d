// Runs the TypeScript 7 compiler. It is installed under another name, because typescript-eslint
// still needs the JavaScript API of TypeScript 6, which holds the name `typescript`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Plugins that came with a pull, since the last `npm install`, are linked as that would.
for (const name of readdirSync(new URL('../packages/plugins/', import.meta.url))) {
  const link = new URL(`../node_modules/@countersign/${name}`, import.meta.url);
  if (!existsSync(link)) symlinkSync(`../../packages/plugins/${name}`, link, 'junction');
}

const compiler = fileURLToPath(new URL('../node_modules/typescript-7/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
