import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { writeConformancePage } from './conformance-page.js';
import { readMaterial, explainMissingMaterial, type Material } from './material.js';
import { withPostgres } from './with-postgres.js';
import { compareWithPins, listPinnableResults, readPins, writePins } from './pins.js';
import { runAll, type Results } from './run-all.js';
import { formatDetails, formatScore } from './score.js';

const USAGE = `npm run conformance -- [--only TEXT] [--verbose] [--json FILE] [--pin] [--write]

  --only TEXT  runs only the cases whose id contains TEXT
  --verbose    prints each case that is not correct, with its differences or the reasons for the refusal
  --json FILE  writes all results with details to FILE
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
    throw new TypeError('--pin and --write need all cases. Omit --only.');
  return values;
}

function selectCases(material: Material, idPart: string): Material {
  const { traced, steps, constraints, exchanged } = material;
  const isSelected = ({ id }: { readonly id: string }): boolean => id.includes(idPart);
  return {
    ...material,
    traced: traced.filter(isSelected),
    steps: steps.filter(isSelected),
    constraints: constraints.filter(isSelected),
    exchanged: exchanged.filter(({ file }) => file.includes(idPart)),
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
  const differences = compareWithPins(readPins(), listPinnableResults(results));
  if (differences.length === 0) return;
  process.stdout.write(`\nDifferences from the pinned verdicts:\n${differences.join('\n')}\n`);
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
