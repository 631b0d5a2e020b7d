// Runs the TypeScript 7 compiler. It is installed under another name, because typescript-eslint
// still needs the JavaScript API of TypeScript 6, which holds the name `typescript`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../node_modules/typescript-7/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
