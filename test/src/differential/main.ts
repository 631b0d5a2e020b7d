import { parseArgs } from 'node:util';
import { withPostgres } from '../conformance/with-postgres.js';
import { CASES } from './cases/index.js';
import { compareWithPins, readPins, writePins } from './pins.js';
import { formatOutcomes } from './report.js';
import { runAll } from './run-all.js';

const USAGE = `npm run differential -- [--only TEXT] [--verbose] [--pin]

  --only TEXT  the cases whose id contains it
  --verbose    tells of all cases, not only of those that are not the same
  --pin        pins what is not the same in differs.json
`;

async function measure({
  only = '',
  verbose = false,
  pin = false,
}: {
  only?: string;
  verbose?: boolean;
  pin?: boolean;
}): Promise<void> {
  const outcomes = await runAll(CASES.filter(({ id }) => id.includes(only)));
  if (pin) writePins(readPins(), outcomes);
  const pins = readPins();
  process.stdout.write(`${formatOutcomes(outcomes, pins, verbose)}\n`);
  const differences = compareWithPins(pins, outcomes);
  if (differences.length === 0) return;
  process.stdout.write(`\nNot as pinned:\n${differences.join('\n')}\n`);
  process.exitCode = 1;
}

try {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, verbose: { type: 'boolean' }, pin: { type: 'boolean' } },
  });
  if (values.only !== undefined && values.pin === true) throw new TypeError('--pin needs all cases.');
  await withPostgres(() => measure(values));
} catch (error) {
  if (error instanceof TypeError) process.stderr.write(`${error.message}\n\n${USAGE}`);
  else console.error(error);
  process.exitCode = 1;
}
