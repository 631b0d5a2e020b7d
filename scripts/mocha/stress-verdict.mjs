/**
 * @param {{times: number, alone: ReadonlyMap<string, number>, busy: ReadonlyMap<string, number>}} failures how often each test failed
 * @returns {{verdict: 'genuine' | 'by contention' | 'sound', lines: string[]}} lines: one for each test that failed
 */
export function verdictOf({ times, alone, busy }) {
  const titles = [...new Set([...alone.keys(), ...busy.keys()])];
  const lines = titles.map(
    (title) =>
      `${title}: failed ${alone.get(title) ?? 0} of ${times} alone, ${busy.get(title) ?? 0} of ${times} with all cores busy`,
  );
  if (alone.size > 0) return { verdict: 'genuine', lines };
  return { verdict: busy.size > 0 ? 'by contention' : 'sound', lines };
}
