import type { Benchmark } from '../benchmark.js';
import { ApiCaller } from '../http/api-caller.js';
import { startServerProcess, type ServerProcess } from '../http/server-process.js';
import { interleave } from '../measure/interleave.js';
import { cpuOfProcess } from '../measure/process-times.js';
import { median } from '../measure/statistics.js';
import { figure, percents } from '../measure/table.js';

const REQUESTS = 40_000;
const WARM_UP_REQUESTS = 4_000;
const IN_FLIGHT = 32;
/** Users that send requests, one after the other. */
const PEOPLE = 100;
/** Never reached, so that counts stay in memory. */
const FAR = 10_000_000;
const NOT_SHARED = 'counted in memory';
const SHARED = 'shared with other servers';

interface Sample {
  readonly requestsPerSecond: number;
  readonly cpuMs: number;
}

/** Cost of sharing request counts between servers: the cheapest request, with and without sharing. */
export const rateLimits: Benchmark = {
  name: 'rate-limits',
  database: true,
  async run({ postgres, runs: requests = REQUESTS, repetitions, progress }) {
    // A repetition is a quarter of the limit, so that at least four fifths of its requests are also counted elsewhere.
    const near = (requests / PEOPLE) * 4;
    const servers = new Map<string, ServerProcess>();
    for (const [name, limit] of [
      [NOT_SHARED, FAR],
      [SHARED, near],
    ] as const)
      servers.set(name, await startServerProcess(await postgres.createDatabase(), limit));
    const callers = new Map(
      await Promise.all([...servers].map(async ([name, server]) => [name, await callersOf(server)] as const)),
    );
    const load = async (name: string, count: number): Promise<Sample> => {
      const pid = servers.get(name)?.pid ?? 0;
      const before = cpuOfProcess(pid) ?? Number.NaN;
      const startedAt = performance.now();
      await ask(callers.get(name) ?? [], count);
      const seconds = (performance.now() - startedAt) / 1_000;
      return { requestsPerSecond: count / seconds, cpuMs: ((cpuOfProcess(pid) ?? Number.NaN) - before) / count };
    };
    try {
      progress('warming up');
      for (const name of servers.keys()) await load(name, WARM_UP_REQUESTS);
      const phases = [...servers.keys()].map((name) => ({ name, run: () => load(name, requests) }));
      const samples = await interleave(phases, repetitions, (phase, { requestsPerSecond }) =>
        progress(`${phase}: ${figure(requestsPerSecond)} requests/s`),
      );
      const of = (name: string): readonly Sample[] => samples.get(name) ?? [];
      const ratios = of(SHARED).map(({ cpuMs }, index) => cpuMs / (of(NOT_SHARED)[index]?.cpuMs ?? Number.NaN));
      const rates = of(SHARED).map(
        ({ requestsPerSecond }, index) => requestsPerSecond / (of(NOT_SHARED)[index]?.requestsPerSecond ?? Number.NaN),
      );
      return {
        tables: [
          {
            title: `GET /api/me, ${figure(requests)} requests of ${PEOPLE} people per repetition, ${IN_FLIGHT} in flight, ${repetitions} repetitions, medians`,
            columns: ['rate limits', 'requests/s', 'CPU of the server, ms/request'],
            rows: [...samples].map(([name, all]) => [
              name,
              figure(median(all.map(({ requestsPerSecond }) => requestsPerSecond))),
              figure(median(all.map(({ cpuMs }) => cpuMs)), 3),
            ]),
          },
        ],
        notes: [
          `Shared: ${percents(rates)} of the requests per second with counts in memory, with ${percents(ratios)} of their CPU.`,
        ],
        figures: { requests, repetitions, samples: Object.fromEntries(samples), ratios, rates },
      };
    } finally {
      for (const caller of [...callers.values()].flat()) caller.close();
      for (const server of servers.values()) await server.close();
    }
  },
};

async function callersOf(server: ServerProcess): Promise<ApiCaller[]> {
  return Promise.all(
    Array.from(
      { length: PEOPLE },
      async (_, index) => new ApiCaller(server.url, await server.token(`person-${index}`, 'operator')),
    ),
  );
}

async function ask(callers: readonly ApiCaller[], count: number): Promise<void> {
  let asked = 0;
  const one = async (): Promise<void> => {
    while (asked < count) {
      asked += 1;
      await callers[asked % callers.length]?.get('/api/me');
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
}
