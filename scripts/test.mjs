// Runs one suite of the tests: node scripts/test.mjs [quick|ui|system|long]
//
// Where CI=true, a spec file that drives other processes and failed is run once more, whole and after all others, and each
// such retry is printed: what passes only then is flaky and not broken. No other spec is ever retried.
// COUNTERSIGN_TEST_RESULTS names a file to which the results are added, as a line of JSON.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import config, { specsIn } from '../.mocharc.mjs';
import { filesToRetry, formatResults, lastLine, merged } from './mocha/results.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const suite = process.argv[2] ?? 'quick';
if (!['quick', 'ui', 'system', 'long'].includes(suite)) {
  process.stderr.write(`There is no suite "${suite}": quick, ui, system or long.\n`);
  process.exit(2);
}

/** @param {readonly string[]} files */
function run(files) {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  const target = join(directory, 'results.json');
  const options = Object.entries(config).flatMap(([name, value]) => (name === 'spec' ? [] : optionsOf(name, value)));
  const reporter = ['--reporter', 'scripts/mocha/results-reporter.cjs', '--reporter-option', `file=${target}`];
  const { status, signal } = spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', '--no-config', ...options, ...reporter, ...files], { cwd: root, stdio: 'inherit' });
  try {
    if (existsSync(target)) {
      const results = JSON.parse(readFileSync(target, 'utf8'));
      // A process of the tests that ends early takes its tests along.
      if (status !== 0 && results.failed.length === 0) results.failed.push({ file: '', title: `${suite}: Mocha`, error: `It ended with ${signal ?? status}, although no test failed.` });
      return results;
    }
    return { passed: [], failed: [{ file: '', title: `${suite}: Mocha`, error: `It ended with ${signal ?? status} and told of no results.` }], skipped: [] };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** As on the command line. */
function optionsOf(name, value) {
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [option];
  return [value].flat().flatMap((each) => [option, String(each)]);
}

const files = specsIn(suite);
if (files.length === 0) {
  process.stderr.write('There are no specs: `npm run build` first.\n');
  process.exit(2);
}
const first = run(files);
const again = process.env['CI'] === 'true' ? filesToRetry(first) : [];
if (again.length > 0) process.stdout.write(`\nRetried once, as they drive other processes:\n${again.map((file) => `  ${file}\n`).join('')}`);
const results = again.length > 0 ? merged(first, run(again), again) : { ...first, flaky: [] };
if (process.env['COUNTERSIGN_TEST_RESULTS'] !== undefined) appendFileSync(process.env['COUNTERSIGN_TEST_RESULTS'], `${JSON.stringify(results)}\n`);
process.stdout.write(`\n${formatResults(results)}${lastLine(results)}\n`);
process.exitCode = results.failed.length > 0 ? 1 : 0;
