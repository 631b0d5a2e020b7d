/**
 * @typedef {{file: string, title: string, error?: string}} TestResult
 * @typedef {{passed: TestResult[], failed: TestResult[], skipped: TestResult[]}} SuiteResults
 * @typedef {SuiteResults & {flaky: TestResult[]}} TestResults what failed first and passed when its file was run again is flaky
 */

/** Specs that drive a browser, Electron or other server processes, whose speed and order are not in the hands of the test. */
const DRIVES_PROCESSES = new RegExp(
  `^(?:${[
    'test/dist/(?:web|desktop|recovery|cli|install|start|security|mcp)/',
    'test/dist/agents/(?:agents-on-two-servers|lost-worker|injection/)',
    'test/dist/(?:codehost|connectors)/real-gitea',
    'test/dist/event-ingress/thousand-runs',
    'test/dist/(?:ci-gate|incident-response|issue-triage|release-approval)\\.',
    'packages/plugins/storage-postgres/dist/embedded/',
  ].join('|')})`,
);

/** The spec files that may be run once more: no other is ever retried. @param {SuiteResults} results */
export function filesToRetry({ failed }) {
  return [...new Set(failed.map(({ file }) => file))].filter((file) => DRIVES_PROCESSES.test(file));
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
  const isElsewhere = ({ file }) => !again.includes(file);
  const both = (kind) => [...first[kind].filter(isElsewhere), ...second[kind]];
  const broken = new Set(second.failed.map(({ file, title }) => JSON.stringify([file, title])));
  const flaky = first.failed.filter((each) => !isElsewhere(each) && !broken.has(JSON.stringify([each.file, each.title])));
  return { passed: both('passed'), failed: both('failed'), skipped: both('skipped'), flaky };
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
