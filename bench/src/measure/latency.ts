import { median, quantile } from './statistics.js';

export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

/** Measures the latencies in ms of several kinds of work, alternately and one at a time. */
export async function measureLatencies<Name extends string>(
  work: Readonly<Record<Name, () => Promise<unknown>>>,
  repetitions: number,
): Promise<Record<Name, Latency>> {
  const entries = Object.entries<() => Promise<unknown>>(work);
  const durationsByName = new Map<string, number[]>(entries.map(([name]) => [name, []]));
  for (let repetition = -WARM_UP_REPETITIONS; repetition < repetitions; repetition += 1) {
    for (const [name, run] of entries) {
      const startedAt = performance.now();
      await run();
      if (repetition >= 0) durationsByName.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries(
    [...durationsByName].map(([name, durations]) => [name, { p50: median(durations), p95: quantile(durations, 0.95) }]),
  ) as Record<Name, Latency>;
}

/** Repetitions that are not measured: they open connections, compile code and read pages from disk. */
const WARM_UP_REPETITIONS = 50;
