// Runs a spec file 20 times alone and 20 times while all cores are busy: npm run test:stress -- FILE [--times 20]
// Its verdict: `genuine` where it fails alone too, `by contention` where it fails only beside other work, else `sound`.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, Worker } from 'node:worker_threads';
import { measureSecond } from './mocha/measure-second.mjs';
import { runMocha } from './mocha/run-mocha.mjs';
import { verdictOf } from './mocha/stress-verdict.mjs';
import { specFiles, specNamed } from './mocha/suites.mjs';

function beBusy() {
  for (;;);
}

/** @param {string} spec @param {number} times @param {string} how @returns {Promise<Map<string, number>>} how often each test failed */
async function failuresIn(spec, times, how) {
  const failures = new Map();
  const secondMs = await measureSecond();
  process.stdout.write(`${how}, with timeouts in seconds of ${(secondMs / 1_000).toFixed(2)} s:\n`);
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
  const spec = specNamed(positionals[0] ?? '');
  const times = Number(values.times);
  if (positionals.length !== 1 || !specFiles().includes(spec) || !Number.isInteger(times) || times < 1) {
    process.stderr.write(
      'usage: npm run test:stress -- FILE [--times 20]; FILE is a spec such as test/src/http/webhooks.spec.ts\n',
    );
    process.exit(2);
  }
  const alone = await failuresIn(spec, times, 'Alone');
  const loops = Array.from({ length: availableParallelism() }, () => new Worker(fileURLToPath(import.meta.url)));
  const busy = await failuresIn(spec, times, `Beside ${loops.length} busy loops`);
  await Promise.all(loops.map((loop) => loop.terminate()));
  const { verdict, lines } = verdictOf({ times, alone, busy });
  process.stdout.write(`\n${lines.map((line) => `${line}\n`).join('')}${spec}: ${verdict}\n`);
  process.exitCode = verdict === 'sound' ? 0 : 1;
}

if (isMainThread) await main();
else beBusy();
