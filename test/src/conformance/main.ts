import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { writeConformancePage } from './conformance-page.js';
import { readMaterial, explainMissingMaterial, type Material } from './material.js';
import { withPostgres } from './with-postgres.js';
import { compareWithPins, listPinnedResults, readPins, writePins } from './pins.js';
import { runAll, type Results } from './run-all.js';
import { formatDetails, formatScore } from './score.js';

const USAGE = `npm run conformance -- [--only TEXT] [--verbose] [--json FILE] [--pin] [--write]

  --only TEXT  the cases whose id contains it
  --verbose    prints each case that is not correct: what differs, or why it is refused
  --json FILE  writes all results, with details
  --pin        records the cases that are not correct in falls-short.json
  --write      updates the table in docs/conformance.md
`;

function readArguments(): { only?: string; verbose?: boolean; json?: string; pin?: boolean; write?: boolean } {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      verbose: { type: 'boolean' },
      json: { type: 'string' },
      pin: { type: 'boolean' },
      write: { type: 'boolean' },
    },
  });
  if (values.only !== undefined && (values.pin === true || values.write === true))
    throw new TypeError('--pin and --write need all cases.');
  return values;
}

function selectCases(material: Material, text: string): Material {
  const { traced, steps, constraints, exchanged } = material;
  const has = ({ id }: { readonly id: string }): boolean => id.includes(text);
  return {
    ...material,
    traced: traced.filter(has),
    steps: steps.filter(has),
    constraints: constraints.filter(has),
    exchanged: exchanged.filter(({ file }) => file.includes(text)),
  };
}

async function printReport(
  results: Results,
  { verbose, json, pin, write }: ReturnType<typeof readArguments>,
): Promise<void> {
  if (verbose === true) process.stdout.write(`${formatDetails(results)}\n\n`);
  process.stdout.write(`${formatScore(results)}\n`);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`);
  if (pin === true) writePins(readPins(), results);
  if (write === true) await writeConformancePage(results);
  const differences = compareWithPins(readPins(), listPinnedResults(results));
  if (differences.length === 0) return;
  process.stdout.write(`\nNot as pinned:\n${differences.join('\n')}\n`);
  process.exitCode = 1;
}

try {
  const options = readArguments();
  const missingReason = explainMissingMaterial();
  if (missingReason !== undefined) process.stdout.write(`Nothing was measured: ${missingReason}.\n`);
  else {
    const material = selectCases(readMaterial(), options.only ?? '');
    await printReport(await withPostgres(() => runAll(material)), options);
  }
} catch (error) {
  if (error instanceof TypeError) process.stderr.write(`${error.message}\n\n${USAGE}`);
  else console.error(error);
  process.exitCode = 1;
}
