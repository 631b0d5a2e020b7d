/**
 * @typedef {{file: string, title: string, error?: string}} TestResult
 * @typedef {{passed: TestResult[], failed: TestResult[], skipped: TestResult[]}} SuiteResults
 * @typedef {SuiteResults & {flaky: TestResult[]}} TestResults flaky: tests that failed first and passed when their file
 *   was retried
 */

/**
 * Returns the spec files to retry: failed files that started other processes, because a test does not control the speed
 * and order of other processes. No other file is ever retried.
 *
 * @param {SuiteResults} results
 * @param {ReadonlySet<string>} filesWithProcesses spec files that started other processes
 */
export function findFilesToRetry({ failed }, filesWithProcesses) {
  return [...new Set(failed.map(({ file }) => file))].filter((file) => filesWithProcesses.has(file));
}

/**
 * Returns the results of a suite after some of its files were retried. For these files, the results of the retry count.
 *
 * @param {SuiteResults} firstResults
 * @param {SuiteResults} retryResults
 * @param {readonly string[]} retriedFiles
 * @returns {TestResults}
 */
export function mergeRetryResults(firstResults, retryResults, retriedFiles) {
  const isRetried = ({ file }) => retriedFiles.includes(file);
  const merge = (kind) => [...firstResults[kind].filter((test) => !isRetried(test)), ...retryResults[kind]];
  const getKey = ({ file, title }) => JSON.stringify([file, title]);
  const failedKeys = new Set(retryResults.failed.map(getKey));
  const filesWithPasses = new Set(retryResults.passed.map(({ file }) => file));
  // A hook that passes has no result, so a hook that failed first is flaky if its file has tests that passed.
  const flaky = firstResults.failed.filter(
    (test) => isRetried(test) && !failedKeys.has(getKey(test)) && filesWithPasses.has(test.file),
  );
  return { passed: merge('passed'), failed: merge('failed'), skipped: merge('skipped'), flaky };
}

/** Returns the results of several suites as one. @param {readonly TestResults[]} suites @returns {TestResults} */
export function combineResults(suites) {
  const combine = (kind) => suites.flatMap((results) => results[kind]);
  return {
    passed: combine('passed'),
    failed: combine('failed'),
    skipped: combine('skipped'),
    flaky: combine('flaky'),
  };
}

/** Lists the flaky and the failed tests, each with the first line of its error. @param {TestResults} results */
export function formatResults({ failed, flaky }) {
  return [formatTests('Flaky (passed only on retry)', flaky), formatTests('Failed', failed)].join('');
}

/** Returns the counts, the last line that a test run prints. @param {SuiteResults} results */
export function formatSummary({ passed, failed, skipped }) {
  return `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`;
}

/** @param {string} heading @param {TestResult[]} tests */
function formatTests(heading, tests) {
  if (tests.length === 0) return '';
  return `${heading}:\n${tests.map(({ file, title, error = '' }) => `  ${title} (${file || 'no spec'})\n    ${error.split('\n')[0]}\n`).join('')}\n`;
}
