/**
 * Returns the verdict on a spec file: `fails alone` if tests also fail when the file runs alone, `fails under load` if
 * they fail only while all cores are busy, `passes` if no test fails.
 *
 * @param {object} counts
 * @param {number} counts.times number of runs in each condition
 * @param {ReadonlyMap<string, number>} counts.aloneFailures failures of each test when the file runs alone, by title
 * @param {ReadonlyMap<string, number>} counts.busyFailures failures of each test while all cores are busy, by title
 * @returns {{verdict: 'fails alone' | 'fails under load' | 'passes', lines: string[]}} lines: a line for each test that
 * failed
 */
export function getStressVerdict({ times, aloneFailures, busyFailures }) {
  const titles = [...new Set([...aloneFailures.keys(), ...busyFailures.keys()])];
  const lines = titles.map(
    (title) =>
      `${title}: failed in ${aloneFailures.get(title) ?? 0} of ${times} runs alone and in ${busyFailures.get(title) ?? 0} of ${times} runs with all cores busy`,
  );
  if (aloneFailures.size > 0) return { verdict: 'fails alone', lines };
  return { verdict: busyFailures.size > 0 ? 'fails under load' : 'passes', lines };
}
