import { parseArgs } from 'node:util';
import { withPostgres } from '../conformance/with-postgres.js';
import { CASES } from './cases/index.js';
import { compareWithPins, readPins, writePins } from './pins.js';
import { formatOutcomes } from './report.js';
import { runAll } from './run-all.js';

const USAGE = `npm run differential -- [--only TEXT] [--verbose] [--pin]

  --only TEXT  runs only the cases whose id contains TEXT
  --verbose    reports all cases, including those with the same outcome
  --pin        writes the current differences to differs.json
`;

async function runComparison({
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
  process.stdout.write(`\nOutcomes that differ from differs.json:\n${differences.join('\n')}\n`);
  process.exitCode = 1;
}

try {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, verbose: { type: 'boolean' }, pin: { type: 'boolean' } },
  });
  if (values.only !== undefined && values.pin === true) throw new TypeError('--pin requires all cases: remove --only.');
  await withPostgres(() => runComparison(values));
} catch (error) {
  if (error instanceof TypeError) process.stderr.write(`${error.message}\n\n${USAGE}`);
  else console.error(error);
  process.exitCode = 1;
}
