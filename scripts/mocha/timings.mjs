// What each spec file took when it was last run, in `test/timings.json`: Mocha gets the files in this order, the longest first,
// so that none of these is left over to run alone at the end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../test/timings.json', import.meta.url));

/** A measurement replaces what is recorded where the two differ by both: the order is all that matters, and no run should change each line. */
const NOTABLE = { factor: 1.5, seconds: 1 };

/** @typedef {Record<string, number>} Timings seconds on a machine whose second is as long as the measured one, by spec file */

/** @returns {Timings} */
export function readTimings() {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
}

/** The longest first; before them those of which nothing is known. @param {readonly string[]} specs @param {Timings} timings */
export function longestFirst(specs, timings = readTimings()) {
  const of = (spec) => timings[spec] ?? Infinity;
  return [...specs].sort((a, b) => (of(a) === of(b) ? a.localeCompare(b) : of(b) - of(a)));
}

/**
 * @param {Timings} known
 * @param {Timings} measured
 * @param {readonly string[]} specs that there are; others are forgotten
 * @returns {Timings}
 */
export function updatedTimings(known, measured, specs) {
  const isNotable = (before, now) =>
    Math.abs(now - before) > NOTABLE.seconds && Math.max(now, before) > Math.min(now, before) * NOTABLE.factor;
  const entries = specs.flatMap((spec) => {
    const [before, now] = [known[spec], measured[spec]];
    const seconds = before === undefined || (now !== undefined && isNotable(before, now)) ? now : before;
    return seconds === undefined ? [] : [[spec, Math.round(seconds * 10) / 10]];
  });
  return Object.fromEntries(entries);
}

/** @param {Timings} measured @param {readonly string[]} specs that there are */
export function recordTimings(measured, specs) {
  const known = readTimings();
  const text = `${JSON.stringify(updatedTimings(known, measured, [...specs].sort()), null, 2)}\n`;
  if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) writeFileSync(FILE, text);
}
