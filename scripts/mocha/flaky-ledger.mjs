// Reads and updates the ledger of flaky tests, `test/flaky.md`: a table of tests that passed only on retry and have not
// been fixed since.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LEDGER_FILE = fileURLToPath(new URL('../../test/flaky.md', import.meta.url));

/** Maximum number of tests in the ledger. The gate fails if the ledger lists more. */
export const MAX_FLAKY_TESTS = 10;

/** @typedef {{spec: string, test: string, cause: string, since: string}} FlakyTest since: an ISO 8601 date */

/** Returns the tests that a ledger lists. @param {string} ledger its Markdown @returns {FlakyTest[]} */
export function parseLedger(ledger) {
  const rows = ledger.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => {
    const [test = '', spec = '', cause = '', since = ''] = parseCells(row);
    return { test, spec: spec.replaceAll('`', ''), cause, since };
  });
}

/**
 * Returns the ledger with a row for each flaky test that it does not list yet.
 *
 * @param {string} ledger its Markdown
 * @param {readonly {file: string, title: string, error?: string}[]} flakyTests
 * @param {string} today
 * @returns {string} the Markdown of the new ledger
 */
export function addFlakyTests(ledger, flakyTests, today) {
  const listedTests = new Set(parseLedger(ledger).map(({ spec, test }) => JSON.stringify([spec, escapeCell(test)])));
  const rows = flakyTests
    .map(({ file, title, error = '' }) => ({
      spec: file,
      test: escapeCell(title),
      error: escapeCell(error.split('\n')[0] ?? ''),
    }))
    .filter(({ spec, test }) => !listedTests.has(JSON.stringify([spec, test])))
    .map(
      ({ spec, test, error }) =>
        `| ${test} | \`${spec}\` | Not known yet: ${error || 'no error message'} | ${today} |\n`,
    );
  return `${ledger.trimEnd()}\n${[...new Set(rows)].join('')}`;
}

/** Adds flaky tests to `test/flaky.md`. @returns {FlakyTest[]} all tests that it then lists */
export function recordFlakyTests(flakyTests) {
  const oldLedger = readFileSync(LEDGER_FILE, 'utf8');
  const newLedger = addFlakyTests(oldLedger, flakyTests, new Date().toISOString().slice(0, 10));
  if (newLedger !== oldLedger) writeFileSync(LEDGER_FILE, newLedger);
  return parseLedger(newLedger);
}

/** @param {string} row */
function parseCells(row) {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Returns a text as the content of one table cell, without line breaks. @param {string} text */
function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}
