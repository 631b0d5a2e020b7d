import { parseArgs } from 'node:util';
import { onPostgres } from '../conformance/on-postgres.js';
import { CASES } from './cases/index.js';
import { differencesFrom, readPins, writePins } from './pins.js';
import { formatOutcomes } from './report.js';
import { runAll } from './run-all.js';
import { startBroker } from './zeebe/broker.js';
import { findZeebe, ZeebeUnavailableError, type ZeebeInstallation } from './zeebe/installation.js';

const USAGE = `npm run differential -- [--only TEXT] [--verbose] [--pin] [--fetch]

  --only TEXT  the cases whose id contains it
  --verbose    tells of all cases, not only of those that are not the same
  --pin        pins what is not the same in differs.json
  --fetch      makes Zeebe ready and compares nothing; fails where it can't be had, as everything here does where CI=true
`;

async function measure(zeebe: ZeebeInstallation, { only = '', verbose = false, pin = false }: { only?: string; verbose?: boolean; pin?: boolean }): Promise<void> {
  // Also while it starts: the broker goes with this process.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const broker = await startBroker(zeebe);
  try {
    const outcomes = await runAll(CASES.filter(({ id }) => id.includes(only)), broker);
    if (pin) writePins(readPins(), outcomes);
    const pins = readPins();
    process.stdout.write(`${formatOutcomes(outcomes, pins, verbose)}\n`);
    const differences = differencesFrom(pins, outcomes);
    if (differences.length === 0) return;
    process.stdout.write(`\nNot as pinned:\n${differences.join('\n')}\n`);
    process.exitCode = 1;
  } finally {
    await broker.stop();
  }
}

/** Whether it is a failure that there is no Zeebe. */
let isNeeded = process.env['CI'] === 'true';

try {
  const { values } = parseArgs({ options: { only: { type: 'string' }, verbose: { type: 'boolean' }, pin: { type: 'boolean' }, fetch: { type: 'boolean' } } });
  isNeeded ||= values.fetch === true;
  if (values.only !== undefined && values.pin === true) throw new TypeError('--pin needs all cases.');
  const zeebe = findZeebe(true);
  if (values.fetch !== true) await onPostgres(() => measure(zeebe, values));
} catch (error) {
  if (error instanceof ZeebeUnavailableError) {
    process.stdout.write(`Nothing was measured: ${error.message}.\n`);
    if (isNeeded) process.exitCode = 1;
  } else {
    if (error instanceof TypeError) process.stderr.write(`${error.message}\n\n${USAGE}`);
    else console.error(error);
    process.exitCode = 1;
  }
}
