// Builds the packages and runs one or more spec files, named by their source files or their built files.
//
//   npm run spec -- packages/interpreter/src/approvals.spec.ts
//   npm run spec -- test/src/http/artifacts.spec.ts --fgrep 'characters of a name'
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import config from '../.mocharc.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const mochaArgs = process.argv.slice(2).map((arg) => arg.replace(/(^|\/)src\/(.*)\.ts$/, '$1dist/$2.js'));
if (mochaArgs.length === 0) {
  process.stderr.write('No spec file is named. For example: npm run spec -- test/src/http/artifacts.spec.ts\n');
  process.exit(1);
}
const runNode = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
if (runNode('scripts/tsc.mjs', '-b') !== 0) process.exit(1);
// Without `--no-config`, Mocha would also run the spec files that the configuration names.
process.exit(
  runNode(
    '--enable-source-maps',
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--timeout',
    String(config.timeout),
    ...config.require.flatMap((file) => ['--require', file]),
    ...mochaArgs,
  ),
);
