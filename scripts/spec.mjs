// Builds, and runs one spec file or several, given as sources or as what is built of them.
//
//   npm run spec -- packages/interpreter/src/approvals.spec.ts
//   npm run spec -- test/src/http/artifacts.spec.ts --fgrep 'characters of a name'
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import config from '../.mocharc.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const args = process.argv.slice(2).map((arg) => arg.replace(/(^|\/)src\/(.*)\.ts$/, '$1dist/$2.js'));
if (args.length === 0) {
  process.stderr.write('Name a spec file, for example: npm run spec -- test/src/http/artifacts.spec.ts\n');
  process.exit(1);
}
const run = (...command) => spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
if (run('scripts/tsc.mjs', '-b') !== 0) process.exit(1);
// Without the configuration itself, whose files Mocha would add to those that are named.
process.exit(
  run(
    '--enable-source-maps',
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--timeout',
    String(config.timeout),
    ...config.require.flatMap((file) => ['--require', file]),
    ...args,
  ),
);
