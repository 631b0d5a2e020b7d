/**
 * @typedef {{file: string, title: string, error?: string}} TestResult
 * @typedef {{passed: TestResult[], failed: TestResult[], skipped: TestResult[]}} SuiteResults
 * @typedef {SuiteResults & {flaky: TestResult[]}} TestResults what failed first and passed when its file was run again is flaky
 */

/**
 * The spec files that may be run once more: those that have started other processes, whose speed and order are not in the
 * hands of the test. No other is ever retried.
 *
 * @param {SuiteResults} results
 * @param {ReadonlySet<string>} startedProcesses spec files
 */
export function filesToRetry({ failed }, startedProcesses) {
  return [...new Set(failed.map(({ file }) => file))].filter((file) => startedProcesses.has(file));
}

/**
 * What became of a suite, where some of its files were run again: for these the second time counts.
 *
 * @param {SuiteResults} first
 * @param {SuiteResults} second
 * @param {readonly string[]} again the files that were run again
 * @returns {TestResults}
 */
export function merged(first, second, again) {
  const isOtherFile = ({ file }) => !again.includes(file);
  const both = (kind) => [...first[kind].filter(isOtherFile), ...second[kind]];
  const key = ({ file, title }) => JSON.stringify([file, title]);
  const [broken, finished] = [new Set(second.failed.map(key)), new Set(second.passed.map(({ file }) => file))];
  // A hook has no result of its own where it passes; its file has others.
  const flaky = first.failed.filter((each) => !isOtherFile(each) && !broken.has(key(each)) && finished.has(each.file));
  return { passed: both('passed'), failed: both('failed'), skipped: both('skipped'), flaky };
}

/** @param {readonly TestResults[]} all @returns {TestResults} */
export function total(all) {
  const of = (kind) => all.flatMap((each) => each[kind]);
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped'), flaky: of('flaky') };
}

/** The names of what was flaky and of what failed, each with the first line of its error. @param {TestResults} results */
export function formatResults({ failed, flaky }) {
  return [list('Flaky, passed only when they were tried again', flaky), list('Failed', failed)].join('');
}

/** @param {TestResults} results */
export function lastLine({ passed, failed, skipped }) {
  return `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`;
}

/** @param {string} heading @param {TestResult[]} tests */
function list(heading, tests) {
  if (tests.length === 0) return '';
  return `${heading}:\n${tests.map(({ file, title, error = '' }) => `  ${title} (${file || 'no spec'})\n    ${error.split('\n')[0]}\n`).join('')}\n`;
}
