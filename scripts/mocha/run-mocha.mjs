// Runs Mocha over spec files and tells what became of them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import config from '../../.mocharc.mjs';
import { SECOND_VARIABLE } from './measure-second.mjs';
import { builtFile } from './suites.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} MochaRun
 * @property {import('./results.mjs').SuiteResults} results its files named as in the repository
 * @property {import('./timings.mjs').Timings} timings
 * @property {Set<string>} startedProcesses spec files that have started other processes
 */

/**
 * @param {readonly string[]} specs as `specFiles` names them, in the order in which they are handed out
 * @param {{secondMs: number, output?: 'inherit' | 'ignore', name?: string}} options name: what the specs are together, where they fail as one
 * @returns {MochaRun}
 */
export function runMocha(specs, { secondMs, output = 'inherit', name = '' }) {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  const [resultsFile, filesFile] = [join(directory, 'results.json'), join(directory, 'files.jsonl')];
  const specOf = new Map(specs.map((spec) => [builtFile(spec), spec]));
  const named = (each) => ({ ...each, file: specOf.get(each.file) ?? each.file });
  const options = Object.entries(config).flatMap(([option, value]) =>
    option === 'spec' ? [] : optionsOf(option, value),
  );
  const reporter = ['--reporter', 'scripts/mocha/results-reporter.cjs', '--reporter-option', `file=${resultsFile}`];
  try {
    const { status, signal } = spawnSync(
      process.execPath,
      ['node_modules/mocha/bin/mocha.js', '--no-config', ...options, ...reporter, ...specOf.keys()],
      {
        cwd: root,
        stdio: ['ignore', output, output],
        env: { ...process.env, [SECOND_VARIABLE]: String(secondMs), COUNTERSIGN_TEST_FILES: filesFile },
      },
    );
    const end = signal ?? status;
    const results = existsSync(resultsFile)
      ? JSON.parse(readFileSync(resultsFile, 'utf8'))
      : { passed: [], failed: [], skipped: [] };
    // A process of the tests that ends early takes its tests along.
    if (end !== 0 && results.failed.length === 0)
      results.failed.push({
        file: '',
        title: `${name}: Mocha`,
        error: `It ended with ${end}, although no test failed.`,
      });
    const files = (existsSync(filesFile) ? readFileSync(filesFile, 'utf8').trimEnd().split('\n') : []).map((line) =>
      named(JSON.parse(line)),
    );
    return {
      results: {
        passed: results.passed.map(named),
        failed: results.failed.map(named),
        skipped: results.skipped.map(named),
      },
      timings: Object.fromEntries(files.map(({ file, seconds }) => [file, (seconds * 1_000) / secondMs])),
      startedProcesses: new Set(files.filter(({ hasStartedProcesses }) => hasStartedProcesses).map(({ file }) => file)),
    };
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
