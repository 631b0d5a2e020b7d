// Reads and records the durations of the spec files, in `test/timings.json`. Mocha runs the longest files first, so
// that no long file runs alone at the end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TIMINGS_FILE = fileURLToPath(new URL('../../test/timings.json', import.meta.url));

/**
 * Minimum difference at which a measurement replaces the recorded duration; both bounds apply. Only the order matters,
 * and a run should not change every line of the file.
 */
const NOTABLE_CHANGE = { factor: 1.5, seconds: 1 };

/** @typedef {Record<string, number>} Timings durations by spec file, in seconds of the reference machine */

/** @returns {Timings} */
export function readTimings() {
  return existsSync(TIMINGS_FILE) ? JSON.parse(readFileSync(TIMINGS_FILE, 'utf8')) : {};
}

/**
 * Sorts spec files without a known duration first, then the longest.
 *
 * @param {readonly string[]} specs
 * @param {Timings} timings
 */
export function sortByDuration(specs, timings = readTimings()) {
  const getDuration = (spec) => timings[spec] ?? Infinity;
  return [...specs].sort((a, b) =>
    getDuration(a) === getDuration(b) ? a.localeCompare(b) : getDuration(b) - getDuration(a),
  );
}

/**
 * Returns the recorded timings with new files and notable changes of duration.
 *
 * @param {Timings} recorded
 * @param {Timings} measured
 * @param {readonly string[]} specs all existing specs; the timings of other files are dropped
 * @returns {Timings}
 */
export function updateTimings(recorded, measured, specs) {
  const isNotable = (before, after) =>
    Math.abs(after - before) > NOTABLE_CHANGE.seconds &&
    Math.max(after, before) > Math.min(after, before) * NOTABLE_CHANGE.factor;
  const entries = specs.flatMap((spec) => {
    const [before, after] = [recorded[spec], measured[spec]];
    const seconds = before === undefined || (after !== undefined && isNotable(before, after)) ? after : before;
    return seconds === undefined ? [] : [[spec, Math.round(seconds * 10) / 10]];
  });
  return Object.fromEntries(entries);
}

/** Updates `test/timings.json`. @param {Timings} measured @param {readonly string[]} specs all existing specs */
export function recordTimings(measured, specs) {
  const json = `${JSON.stringify(updateTimings(readTimings(), measured, [...specs].sort()), null, 2)}\n`;
  if (!existsSync(TIMINGS_FILE) || readFileSync(TIMINGS_FILE, 'utf8') !== json) writeFileSync(TIMINGS_FILE, json);
}
