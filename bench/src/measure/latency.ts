import { median, quantile } from './statistics.js';

export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

/** Measures the latencies in ms of several kinds of work, alternately and one at a time. */
export async function latencies<Name extends string>(
  work: Readonly<Record<Name, () => Promise<unknown>>>,
  times: number,
): Promise<Record<Name, Latency>> {
  const entries = Object.entries<() => Promise<unknown>>(work);
  const measured = new Map<string, number[]>(entries.map(([name]) => [name, []]));
  for (let round = -WARM_UP; round < times; round += 1) {
    for (const [name, one] of entries) {
      const startedAt = performance.now();
      await one();
      if (round >= 0) measured.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries(
    [...measured].map(([name, all]) => [name, { p50: median(all), p95: quantile(all, 0.95) }]),
  ) as Record<Name, Latency>;
}

/** Rounds that do not count: they open connections, compile code and read pages from disk. */
const WARM_UP = 50;
