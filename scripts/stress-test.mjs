// Runs a spec file 20 times alone and 20 times while all cores are busy: npm run test:stress -- FILE [--times 20]
// Prints a verdict: `fails alone` if the file also fails alone, `fails under load` if it fails only while all cores are
// busy, otherwise `passes`.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, Worker } from 'node:worker_threads';
import { measureSecond } from './mocha/measure-second.mjs';
import { runMocha } from './mocha/run-mocha.mjs';
import { getStressVerdict } from './mocha/stress-verdict.mjs';
import { findSpecFiles, resolveSpecFile } from './mocha/suites.mjs';

/** Keeps a core busy until the worker is terminated. */
function keepCoreBusy() {
  for (;;);
}

/**
 * Runs a spec file several times and counts the failures of each test.
 *
 * @param {string} spec
 * @param {number} times
 * @param {string} condition a description for the output
 * @returns {Promise<Map<string, number>>} number of failures by the title of the test
 */
async function countFailures(spec, times, condition) {
  const failures = new Map();
  const secondMs = await measureSecond();
  process.stdout.write(`${condition}, with timeouts multiplied by ${(secondMs / 1_000).toFixed(2)}:\n`);
  for (let run = 1; run <= times; run += 1) {
    const { failed } = runMocha([spec], { secondMs, output: 'ignore', name: spec }).results;
    for (const { title } of failed) failures.set(title, (failures.get(title) ?? 0) + 1);
    process.stdout.write(
      `  ${run} of ${times}: ${failed.length === 0 ? 'passed' : failed.map(({ title, error }) => `${title}\n    ${error?.split('\n')[0]}`).join('\n  ')}\n`,
    );
  }
  return failures;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { times: { type: 'string', default: '20' } },
  });
  const spec = resolveSpecFile(positionals[0] ?? '');
  const times = Number(values.times);
  if (positionals.length !== 1 || !findSpecFiles().includes(spec) || !Number.isInteger(times) || times < 1) {
    process.stderr.write(
      'usage: npm run test:stress -- FILE [--times 20]; FILE is a spec such as test/src/http/webhooks.spec.ts\n',
    );
    process.exit(2);
  }
  const aloneFailures = await countFailures(spec, times, 'Alone');
  const loops = Array.from({ length: availableParallelism() }, () => new Worker(fileURLToPath(import.meta.url)));
  const busyFailures = await countFailures(spec, times, `With ${loops.length} busy loops`);
  await Promise.all(loops.map((loop) => loop.terminate()));
  const { verdict, lines } = getStressVerdict({ times, aloneFailures, busyFailures });
  process.stdout.write(`\n${lines.map((line) => `${line}\n`).join('')}${spec}: ${verdict}\n`);
  process.exitCode = verdict === 'passes' ? 0 : 1;
}

if (isMainThread) await main();
else keepCoreBusy();
