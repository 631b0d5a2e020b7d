// Runs Mocha over spec files and returns their results.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import config from '../../.mocharc.mjs';
import { SECOND_VARIABLE } from './measure-second.mjs';
import { getBuiltFile } from './suites.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} MochaRun
 * @property {import('./results.mjs').SuiteResults} results with the paths of the source files
 * @property {import('./timings.mjs').Timings} timings
 * @property {Set<string>} filesWithProcesses spec files that started other processes
 */

/**
 * @param {readonly string[]} specs paths as returned by `findSpecFiles`, in the order in which Mocha distributes them
 * @param {{
 *   secondMs: number;
 *   output?: 'inherit' | 'ignore';
 *   name?: string;
 *   engine?: import('./engines.mjs').TestEngine;
 * }} options
 *   name: a name for all the specs, for the result that is added if Mocha fails without a failed test; engine: the engine
 *   of the test hosts, if it is not the embedded one
 * @returns {MochaRun}
 */
export function runMocha(specs, { secondMs, output = 'inherit', name = '', engine }) {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  const [resultsFile, filesFile] = [join(directory, 'results.json'), join(directory, 'files.jsonl')];
  const specsByBuiltFile = new Map(specs.map((spec) => [getBuiltFile(spec), spec]));
  const withSourceFile = (entry) => ({ ...entry, file: specsByBuiltFile.get(entry.file) ?? entry.file });
  const options = Object.entries(config).flatMap(([option, value]) =>
    option === 'spec' ? [] : formatOption(option, value),
  );
  const reporter = ['--reporter', 'scripts/mocha/results-reporter.cjs', '--reporter-option', `file=${resultsFile}`];
  if (engine !== undefined) options.push('--require', engine.setup);
  try {
    const { status, signal } = spawnSync(
      process.execPath,
      ['node_modules/mocha/bin/mocha.js', '--no-config', ...options, ...reporter, ...specsByBuiltFile.keys()],
      {
        cwd: root,
        stdio: ['ignore', output, output],
        env: {
          ...process.env,
          [SECOND_VARIABLE]: String(secondMs),
          COUNTERSIGN_TEST_FILES: filesFile,
          COUNTERSIGN_TEST_ENGINE: engine?.module,
        },
      },
    );
    const exit = signal ?? status;
    const results = existsSync(resultsFile)
      ? JSON.parse(readFileSync(resultsFile, 'utf8'))
      : { passed: [], failed: [], skipped: [] };
    // If a test process ends early, the results of its tests are missing.
    if (exit !== 0 && results.failed.length === 0)
      results.failed.push({
        file: '',
        title: `${name}: Mocha`,
        error: `Mocha ended with ${exit}, although no test failed.`,
      });
    const files = (existsSync(filesFile) ? readFileSync(filesFile, 'utf8').trimEnd().split('\n') : []).map((line) =>
      withSourceFile(JSON.parse(line)),
    );
    return {
      results: {
        passed: results.passed.map(withSourceFile),
        failed: results.failed.map(withSourceFile),
        skipped: results.skipped.map(withSourceFile),
      },
      timings: Object.fromEntries(files.map(({ file, seconds }) => [file, (seconds * 1_000) / secondMs])),
      filesWithProcesses: new Set(
        files.filter(({ hasStartedProcesses }) => hasStartedProcesses).map(({ file }) => file),
      ),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns an option of the configuration as command-line arguments. */
function formatOption(name, value) {
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [option];
  return [value].flat().flatMap((each) => [option, String(each)]);
}
