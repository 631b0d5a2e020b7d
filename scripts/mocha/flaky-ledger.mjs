// The ledger of flaky tests, `test/flaky.md`: a table of what passed only when it was tried again, and has not been mended since.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../test/flaky.md', import.meta.url));

/** With one more, the gate fails: it is time to mend some. */
export const MAX_FLAKY_TESTS = 10;

/** @typedef {{spec: string, test: string, cause: string, since: string}} FlakyTest since: a date, as in ISO 8601 */

/** @param {string} ledger its text @returns {FlakyTest[]} */
export function flakyTestsIn(ledger) {
  const rows = ledger.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => {
    const [test = '', spec = '', cause = '', since = ''] = cellsOf(row);
    return { test, spec: spec.replaceAll('`', ''), cause, since };
  });
}

/**
 * @param {string} ledger its text
 * @param {readonly {file: string, title: string, error?: string}[]} flaky
 * @param {string} today
 * @returns {string} its text with a row for each that has none yet
 */
export function withFlakyTests(ledger, flaky, today) {
  const known = new Set(flakyTestsIn(ledger).map(({ spec, test }) => JSON.stringify([spec, inOneCell(test)])));
  const rows = flaky
    .map(({ file, title, error = '' }) => ({
      spec: file,
      test: inOneCell(title),
      error: inOneCell(error.split('\n')[0] ?? ''),
    }))
    .filter(({ spec, test }) => !known.has(JSON.stringify([spec, test])))
    .map(
      ({ spec, test, error }) =>
        `| ${test} | \`${spec}\` | Not known yet: ${error || 'no error was told'} | ${today} |\n`,
    );
  return `${ledger.trimEnd()}\n${[...new Set(rows)].join('')}`;
}

/** @returns {FlakyTest[]} all that the ledger has, with these */
export function recordFlakyTests(flaky) {
  const before = readFileSync(FILE, 'utf8');
  const after = withFlakyTests(before, flaky, new Date().toISOString().slice(0, 10));
  if (after !== before) writeFileSync(FILE, after);
  return flakyTestsIn(after);
}

/** @param {string} row */
function cellsOf(row) {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** @param {string} text */
function inOneCell(text) {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}
