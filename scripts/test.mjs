// Runs suites of the tests, or single spec files: node scripts/test.mjs SUITE … | FILE …
//
// Where CI=true, a spec file that has started other processes and failed is run once more, whole and after all others of its
// suite, and each such retry is printed: what passes only then is flaky and not broken, and gets a row in `test/flaky.md`.
// No other spec is ever retried. COUNTERSIGN_TEST_RESULTS names a file to which the results are added, as a line of JSON.
import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_FLAKY_TESTS, recordFlakyTests } from './mocha/flaky-ledger.mjs';
import { measureSecond } from './mocha/measure-second.mjs';
import { filesToRetry, formatResults, lastLine, merged, total } from './mocha/results.mjs';
import { runMocha } from './mocha/run-mocha.mjs';
import { builtFile, specFiles, specNamed, suiteNamed, suiteOf, SUITES } from './mocha/suites.mjs';
import { longestFirst, recordTimings } from './mocha/timings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isInCi = process.env['CI'] === 'true';
const all = specFiles();
const wanted = process.argv.slice(2);
const files = wanted.map(specNamed).filter((name) => all.includes(name));
const names =
  files.length > 0 ? [] : wanted.flatMap((name) => (name === 'all' ? SUITES.map((suite) => suite.name) : [name]));
const unknown =
  files.length > 0
    ? wanted.length !== files.length
    : names.length === 0 || names.some((name) => suiteNamed(name) === undefined);
if (unknown) {
  process.stderr.write(
    `usage: node scripts/test.mjs SUITE … or FILE …\nThere is no suite or spec file of this name: ${wanted.join(', ') || '(none)'}.\nSuites: ${SUITES.map(({ name }) => name).join(', ')}, or all.\n`,
  );
  process.exit(2);
}
if (!existsSync(resolve(root, builtFile(all[0] ?? '')))) {
  process.stderr.write('The specs are not built: `npm run build` first.\n');
  process.exit(2);
}

/** Each suite takes minutes, in which a machine can become busier: so each has its own. */
async function second() {
  const secondMs = await measureSecond();
  process.stdout.write(
    `Timeouts are in seconds of ${(secondMs / 1_000).toFixed(2)} s, as measured on this machine just now.\n`,
  );
  return secondMs;
}

/** @param {string} name @param {readonly string[]} specs */
async function run(name, specs) {
  process.stdout.write(`\n${name}: ${specs.length} spec files\n`);
  const first = runMocha(longestFirst(specs), { secondMs: await second(), name });
  const drivesProcesses = new Set(
    specs.filter(
      (spec) =>
        suiteOf(spec).drivesProcesses &&
        // Nothing is known of a file whose worker has died.
        (first.startedProcesses.has(spec) || first.timings[spec] === undefined),
    ),
  );
  const again = isInCi ? filesToRetry(first.results, drivesProcesses) : [];
  if (again.length > 0)
    process.stdout.write(
      `\nRetried once, as they drive other processes:\n${again.map((file) => `  ${file}\n`).join('')}`,
    );
  const results =
    again.length > 0
      ? merged(first.results, runMocha(again, { secondMs: await second(), name }).results, again)
      : { ...first.results, flaky: [] };
  return { results, timings: first.timings };
}

const runs = [];
if (files.length > 0) runs.push(await run('these', files));
for (const name of names)
  runs.push(
    await run(
      name,
      all.filter((spec) => suiteOf(spec).name === name),
    ),
  );
const results = total(runs.map((each) => each.results));
recordTimings(Object.assign({}, ...runs.map(({ timings }) => timings)), all);
if (results.flaky.length > 0) {
  const ledger = recordFlakyTests(results.flaky);
  process.stdout.write(`\ntest/flaky.md has ${ledger.length} tests now; commit what was added.\n`);
  if (ledger.length > MAX_FLAKY_TESTS) {
    results.failed.push({
      file: 'test/flaky.md',
      title: 'the ledger of flaky tests',
      error: `It holds ${ledger.length} tests, ${MAX_FLAKY_TESTS} at most are allowed: mend some.`,
    });
  }
}
if (process.env['COUNTERSIGN_TEST_RESULTS'] !== undefined)
  appendFileSync(process.env['COUNTERSIGN_TEST_RESULTS'], `${JSON.stringify(results)}\n`);
process.stdout.write(`\n${formatResults(results)}${lastLine(results)}\n`);
process.exitCode = results.failed.length > 0 ? 1 : 0;
