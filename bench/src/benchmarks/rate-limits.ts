import type { Benchmark } from '../benchmark.js';
import { ApiCaller } from '../http/api-caller.js';
import { startServerProcess, type ServerProcess } from '../http/server-process.js';
import { interleave } from '../measure/interleave.js';
import { processCpuTime } from '../measure/process-times.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatShares } from '../measure/table.js';

const REQUESTS = 40_000;
const WARM_UP_REQUESTS = 4_000;
const IN_FLIGHT = 32;
/** Users that send requests, one after the other. */
const PERSON_COUNT = 100;
/** Never reached, so that counts stay in memory. */
const UNREACHED_LIMIT = 10_000_000;
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
    const reachedLimit = (requests / PERSON_COUNT) * 4;
    const servers = new Map<string, ServerProcess>();
    for (const [name, limit] of [
      [NOT_SHARED, UNREACHED_LIMIT],
      [SHARED, reachedLimit],
    ] as const)
      servers.set(name, await startServerProcess(await postgres.createDatabase(), limit));
    const callers = new Map(
      await Promise.all([...servers].map(async ([name, server]) => [name, await createCallers(server)] as const)),
    );
    const load = async (name: string, count: number): Promise<Sample> => {
      const pid = servers.get(name)?.pid ?? 0;
      const cpuBefore = processCpuTime(pid) ?? Number.NaN;
      const startedAt = performance.now();
      await sendAll(callers.get(name) ?? [], count);
      const seconds = (performance.now() - startedAt) / 1_000;
      return { requestsPerSecond: count / seconds, cpuMs: ((processCpuTime(pid) ?? Number.NaN) - cpuBefore) / count };
    };
    try {
      progress('warming up');
      for (const name of servers.keys()) await load(name, WARM_UP_REQUESTS);
      const phases = [...servers.keys()].map((name) => ({ name, run: () => load(name, requests) }));
      const samples = await interleave(phases, repetitions, (phase, { requestsPerSecond }) =>
        progress(`${phase}: ${formatNumber(requestsPerSecond)} requests/s`),
      );
      const samplesOf = (name: string): readonly Sample[] => samples.get(name) ?? [];
      const ratios = samplesOf(SHARED).map(
        ({ cpuMs }, index) => cpuMs / (samplesOf(NOT_SHARED)[index]?.cpuMs ?? Number.NaN),
      );
      const rates = samplesOf(SHARED).map(
        ({ requestsPerSecond }, index) =>
          requestsPerSecond / (samplesOf(NOT_SHARED)[index]?.requestsPerSecond ?? Number.NaN),
      );
      return {
        tables: [
          {
            title: `GET /api/me, ${formatNumber(requests)} requests of ${PERSON_COUNT} people per repetition, ${IN_FLIGHT} in flight, ${repetitions} repetitions, medians`,
            columns: ['rate limits', 'requests/s', 'CPU of the server, ms/request'],
            rows: [...samples].map(([name, all]) => [
              name,
              formatNumber(median(all.map(({ requestsPerSecond }) => requestsPerSecond))),
              formatNumber(median(all.map(({ cpuMs }) => cpuMs)), 3),
            ]),
          },
        ],
        notes: [
          `Shared: ${formatShares(rates)} of the requests per second with counts in memory, with ${formatShares(ratios)} of their CPU.`,
        ],
        figures: { requests, repetitions, samples: Object.fromEntries(samples), ratios, rates },
      };
    } finally {
      for (const caller of [...callers.values()].flat()) caller.close();
      for (const server of servers.values()) await server.close();
    }
  },
};

async function createCallers(server: ServerProcess): Promise<ApiCaller[]> {
  return Promise.all(
    Array.from(
      { length: PERSON_COUNT },
      async (_, index) => new ApiCaller(server.url, await server.token(`person-${index}`, 'operator')),
    ),
  );
}

async function sendAll(callers: readonly ApiCaller[], count: number): Promise<void> {
  let sentCount = 0;
  const sendRequests = async (): Promise<void> => {
    while (sentCount < count) {
      sentCount += 1;
      await callers[sentCount % callers.length]?.get('/api/me');
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendRequests));
}
