// Sends odd values to a server through every input, more than the gate does: npm run odd-values -- --commands 10000
// It prints its seed, which reproduces the same commands. To repeat only the failed command, use its number:
// npm run odd-values -- --seed 7 --from 4711 --commands 1
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureSecond, SECOND_VARIABLE } from './mocha/measure-second.mjs';

const options = {
  commands: { type: 'string', default: '10000' },
  seed: { type: 'string', default: randomBytes(4).toString('hex') },
  from: { type: 'string', default: '0' },
};

const { commands, seed, from } = parseArgs({ options }).values;
for (const [name, value] of Object.entries({ commands, from })) {
  if (/^\d+$/.test(value)) continue;
  process.stderr.write(`--${name} must be a whole number.\n`);
  process.exit(1);
}

process.stdout.write(`Seed ${seed}, ${commands} commands.\n`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--enable-source-maps',
    '--require',
    'packages/testing/dist/mocha-global-setup.js',
    'test/dist/odd-values/odd-values.spec.js',
  ],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      ...process.env,
      [SECOND_VARIABLE]: String(await measureSecond()),
      ODD_VALUES_SEED: seed,
      ODD_VALUES_COMMANDS: commands,
      ODD_VALUES_FROM: from,
    },
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
