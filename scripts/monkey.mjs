// Presses keys and clicks at random in the inbox of the web UI and of the desktop client:
// npm run monkey -- --actions 40000
// It prints its seed, which reproduces the same choices: npm run monkey -- --seed 5f3a91c2 --only web
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureSecond, SECOND_VARIABLE } from './mocha/measure-second.mjs';

const options = {
  actions: { type: 'string', default: '20000' },
  seed: { type: 'string', default: randomBytes(4).toString('hex') },
  only: { type: 'string' },
};
const CLIENTS = ['web', 'desktop'];
/** Parts of the test in each client, one file each. */
const PARTS = [1, 2];

/** Prints an error message and exits. @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const { actions, seed, only } = parseArgs({ options }).values;
if (!/^[1-9]\d*$/.test(actions)) fail('--actions must be a whole number greater than 0.');
if (only !== undefined && !CLIENTS.includes(only)) fail(`--only must be one of: ${CLIENTS.join(', ')}.`);
const specs = CLIENTS.filter((client) => only === undefined || client === only).flatMap((client) =>
  PARTS.map((part) => `test/dist/monkey/${client}-${part}.monkey.js`),
);

process.stdout.write(`Seed ${seed}, ${actions} keys and clicks.\n`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--enable-source-maps',
    '--timeout',
    '0',
    '--require',
    'packages/testing/dist/mocha-global-setup.js',
    ...specs,
  ],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      ...process.env,
      [SECOND_VARIABLE]: String(await measureSecond()),
      MONKEY_SEED: seed,
      MONKEY_ACTIONS: String(Math.ceil(Number(actions) / specs.length)),
    },
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
