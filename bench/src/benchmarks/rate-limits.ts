import type { Benchmark } from '../benchmark.js';
import { ApiCaller } from '../http/api-caller.js';
import { startServerProcess, type ServerProcess } from '../http/server-process.js';
import { interleave } from '../measure/interleave.js';
import { readProcessCpuTime } from '../measure/process-times.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatShares } from '../measure/table.js';

const REQUESTS = 40_000;
const WARM_UP_REQUESTS = 4_000;
const IN_FLIGHT = 32;
/** Number of users whose requests are sent in turn. */
const USER_COUNT = 100;
/** A limit so high that no count reaches the threshold for sharing, so that counts stay in memory. */
const LIMIT_WITHOUT_SHARING = 10_000_000;
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
    // A repetition uses a quarter of the limit. Counts are shared above a twentieth of the limit, so at least four
    // fifths of the requests have shared counts.
    const limitWithSharing = (requests / USER_COUNT) * 4;
    const servers = new Map<string, ServerProcess>();
    for (const [name, limit] of [
      [NOT_SHARED, LIMIT_WITHOUT_SHARING],
      [SHARED, limitWithSharing],
    ] as const)
      servers.set(name, await startServerProcess(await postgres.createDatabase(), { requestsPerMinute: limit }));
    const callers = new Map(
      await Promise.all([...servers].map(async ([name, server]) => [name, await createCallers(server)] as const)),
    );
    const load = async (name: string, count: number): Promise<Sample> => {
      const pid = servers.get(name)?.pid ?? 0;
      const cpuBefore = readProcessCpuTime(pid) ?? Number.NaN;
      const startedAt = performance.now();
      await sendAll(callers.get(name) ?? [], count);
      const seconds = (performance.now() - startedAt) / 1_000;
      return {
        requestsPerSecond: count / seconds,
        cpuMs: ((readProcessCpuTime(pid) ?? Number.NaN) - cpuBefore) / count,
      };
    };
    try {
      progress('warming up');
      for (const name of servers.keys()) await load(name, WARM_UP_REQUESTS);
      const phases = [...servers.keys()].map((name) => ({ name, run: () => load(name, requests) }));
      const samples = await interleave(phases, repetitions, (phase, { requestsPerSecond }) =>
        progress(`${phase}: ${formatNumber(requestsPerSecond)} requests/s`),
      );
      const getSamples = (name: string): readonly Sample[] => samples.get(name) ?? [];
      const cpuRatios = getSamples(SHARED).map(
        ({ cpuMs }, index) => cpuMs / (getSamples(NOT_SHARED)[index]?.cpuMs ?? Number.NaN),
      );
      const throughputRatios = getSamples(SHARED).map(
        ({ requestsPerSecond }, index) =>
          requestsPerSecond / (getSamples(NOT_SHARED)[index]?.requestsPerSecond ?? Number.NaN),
      );
      return {
        tables: [
          {
            title: `GET /api/me, ${formatNumber(requests)} requests from ${USER_COUNT} users per repetition, ${IN_FLIGHT} in flight, ${repetitions} repetitions, medians`,
            columns: ['rate limits', 'requests/s', 'CPU of the server, ms/request'],
            rows: [...samples].map(([name, all]) => [
              name,
              formatNumber(median(all.map(({ requestsPerSecond }) => requestsPerSecond))),
              formatNumber(median(all.map(({ cpuMs }) => cpuMs)), 3),
            ]),
          },
        ],
        notes: [
          `Shared counts: ${formatShares(throughputRatios)} of the throughput with counts in memory, at ${formatShares(cpuRatios)} of the CPU per request.`,
        ],
        figures: { requests, repetitions, samples: Object.fromEntries(samples), cpuRatios, throughputRatios },
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
      { length: USER_COUNT },
      async (_, index) => new ApiCaller(server.url, await server.mintToken(`person-${index}`, 'operator')),
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
