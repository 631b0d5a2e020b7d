// Runs test suites, or single spec files: node scripts/test.mjs [--engine NAME] SUITE … | FILE …
//
// With `--engine`, the test hosts use another engine than the embedded one, and only specs that run on all engines are
// run. They are skipped, with the reason, if the engine is unavailable here.
//
// If CI=true, a failed spec file that started other processes is retried once, as a whole and after all other files of
// its suite, and the output lists the retried files, unless `--engine` is given. A test that passes only on retry counts as flaky instead of
// failed, and gets a row in `test/flaky.md`. No other spec is ever retried. If COUNTERSIGN_TEST_RESULTS names a file,
// the results are appended to it as a line of JSON.
import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findObstacle, findTestEngine, runsOnAllEngines, TEST_ENGINES } from './mocha/engines.mjs';
import { MAX_FLAKY_TESTS, recordFlakyTests } from './mocha/flaky-ledger.mjs';
import { measureSecond } from './mocha/measure-second.mjs';
import { combineResults, findFilesToRetry, formatResults, formatSummary, mergeRetryResults } from './mocha/results.mjs';
import { runMocha } from './mocha/run-mocha.mjs';
import { findSpecFiles, findSuite, getBuiltFile, getSuite, resolveSpecFile, SUITES } from './mocha/suites.mjs';
import { recordTimings, sortByDuration } from './mocha/timings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isInCi = process.env['CI'] === 'true';
const allSpecs = findSpecFiles();
const { engineName, args } = readArguments();
const engine = engineName === undefined ? undefined : findTestEngine(engineName);
const selectedSpecs = args.map(resolveSpecFile).filter((spec) => allSpecs.includes(spec));
const suiteNames =
  selectedSpecs.length > 0 ? [] : args.flatMap((name) => (name === 'all' ? SUITES.map((suite) => suite.name) : [name]));
const hasInvalidArgs =
  selectedSpecs.length > 0
    ? args.length !== selectedSpecs.length
    : suiteNames.length === 0 || suiteNames.some((name) => findSuite(name) === undefined);
const embeddedSpecs = engine === undefined ? [] : selectedSpecs.filter((spec) => !runsOnAllEngines(spec));
if (hasInvalidArgs || (engineName !== undefined && engine === undefined) || embeddedSpecs.length > 0) {
  process.stderr.write(
    `usage: node scripts/test.mjs [--engine NAME] SUITE … or FILE …\nExpected suites or existing spec files, not both, but got: ${args.join(', ') || '(nothing)'}.\nSuites: ${SUITES.map(({ name }) => name).join(', ')}, or all. Engines: ${Object.keys(TEST_ENGINES).join(', ')}.\n${embeddedSpecs.map((spec) => `${spec} does not run on all engines.\n`).join('')}`,
  );
  process.exit(2);
}
if (!existsSync(resolve(root, getBuiltFile(allSpecs[0] ?? '')))) {
  process.stderr.write('The specs are not built. Run `npm run build` first.\n');
  process.exit(2);
}

/**
 * Measures and prints the second. Each suite takes minutes, in which a machine can become busier, so each run measures
 * again.
 */
async function measureAndPrintSecond() {
  const secondMs = await measureSecond();
  process.stdout.write(
    `Timeouts are multiplied by ${(secondMs / 1_000).toFixed(2)}, as just measured on this machine.\n`,
  );
  return secondMs;
}

/** @param {string} name @param {readonly string[]} specs */
async function runSpecs(name, specs) {
  process.stdout.write(`\n${name}: ${specs.length} spec files\n`);
  const firstRun = runMocha(sortByDuration(specs), { secondMs: await measureAndPrintSecond(), name, engine });
  const filesWithProcesses = new Set(
    specs.filter(
      (spec) =>
        getSuite(spec).startsProcesses &&
        // A file has no timing if its worker ended early. It is then unknown whether the file started processes.
        (firstRun.filesWithProcesses.has(spec) || firstRun.timings[spec] === undefined),
    ),
  );
  const filesToRetry = isInCi && engine === undefined ? findFilesToRetry(firstRun.results, filesWithProcesses) : [];
  if (filesToRetry.length > 0)
    process.stdout.write(
      `\nRetrying once, because these files start other processes:\n${filesToRetry.map((file) => `  ${file}\n`).join('')}`,
    );
  const results =
    filesToRetry.length > 0
      ? mergeRetryResults(
          firstRun.results,
          runMocha(filesToRetry, { secondMs: await measureAndPrintSecond(), name, engine }).results,
          filesToRetry,
        )
      : { ...firstRun.results, flaky: [] };
  return { results, timings: firstRun.timings };
}

/** @param {string} name @param {readonly string[]} specs @param {string} reason */
function skipSpecs(name, specs, reason) {
  process.stdout.write(`\n${name}: ${specs.length} spec files are skipped: ${reason}\n`);
  const skipped = specs.map((file) => ({ file, title: `${name} (skipped: ${reason})` }));
  return { results: { passed: [], failed: [], skipped, flaky: [] }, timings: {} };
}

/** Returns the arguments; without the options if they are invalid. */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { engine: { type: 'string' } } });
    return { engineName: values.engine, args: positionals };
  } catch {
    return { engineName: undefined, args: [] };
  }
}

const sets =
  selectedSpecs.length > 0
    ? [{ name: 'selected', specs: selectedSpecs }]
    : suiteNames.map((name) => ({ name, specs: allSpecs.filter((spec) => getSuite(spec).name === name) }));
const obstacle = engine === undefined ? undefined : await findObstacle(engine);
const runs = [];
for (const { name, specs } of sets) {
  if (engine === undefined) {
    runs.push(await runSpecs(name, specs));
    continue;
  }
  const title = `${name} on ${engineName}`;
  const sharedSpecs = specs.filter(runsOnAllEngines);
  if (obstacle !== undefined) runs.push(skipSpecs(title, sharedSpecs, obstacle));
  else if (sharedSpecs.length > 0) runs.push(await runSpecs(title, sharedSpecs));
  else process.stdout.write(`\n${title}: no spec of the suite runs on all engines\n`);
}
const results = combineResults(runs.map((run) => run.results));
if (engine === undefined) recordTimings(Object.assign({}, ...runs.map(({ timings }) => timings)), allSpecs);
if (results.flaky.length > 0) {
  const flakyTests = recordFlakyTests(results.flaky);
  process.stdout.write(`\ntest/flaky.md now lists ${flakyTests.length} tests. Commit the added rows.\n`);
  if (flakyTests.length > MAX_FLAKY_TESTS) {
    results.failed.push({
      file: 'test/flaky.md',
      title: 'the ledger of flaky tests',
      error: `The ledger lists ${flakyTests.length} tests, but at most ${MAX_FLAKY_TESTS} are allowed. Fix some of them.`,
    });
  }
}
if (process.env['COUNTERSIGN_TEST_RESULTS'] !== undefined)
  appendFileSync(process.env['COUNTERSIGN_TEST_RESULTS'], `${JSON.stringify(results)}\n`);
process.stdout.write(`\n${formatResults(results)}${formatSummary(results)}\n`);
process.exitCode = results.failed.length > 0 ? 1 : 0;
