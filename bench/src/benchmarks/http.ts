import type { Benchmark } from '../benchmark.js';
import { LoadDriver } from '../http/load-driver.js';
import { FOLLOW_METHODS, type FollowMethod } from '../http/messages.js';
import { startServerProcess } from '../http/server-process.js';
import { interleave } from '../measure/interleave.js';
import { Meter, type Sample } from '../measure/meter.js';
import { readProcessCpuTime } from '../measure/process-times.js';
import { computeCpuPerRun, toSampleTable, computeThroughputShares } from '../measure/sample-table.js';
import { median, quantile } from '../measure/statistics.js';
import { formatNumber, formatShares, type Table } from '../measure/table.js';
import { countHistory } from '../postgres/count-history.js';
import { openCeiling } from '../workload/ceiling.js';

const RUNS = 3_000;
const WARM_UP_RUNS = 1_500;

/** The approval workload over HTTP with authentication; server, load driver and database are separate processes. */
export const http: Benchmark = {
  name: 'http',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const database = await postgres.createDatabase();
    const server = await startServerProcess(database);
    const ceiling = await openCeiling(database);
    const meter = await Meter.open(database);
    const driver = new LoadDriver();
    const tokens = {
      starterToken: await server.mintToken('starter', 'operator'),
      approverToken: await server.mintToken('approver', 'approver'),
    };
    const clocks = { node: () => readProcessCpuTime(server.pid), driver: () => readProcessCpuTime(driver.pid) };
    const responseTimes = new ResponseTimes();
    const load = async (count: number, followMethod: FollowMethod): Promise<void> => {
      responseTimes.add(followMethod, await driver.load({ url: server.url, ...tokens, runs: count, followMethod }));
    };
    try {
      progress('warming up');
      await ceiling.run(WARM_UP_RUNS);
      for (const followMethod of FOLLOW_METHODS) await load(WARM_UP_RUNS, followMethod);
      responseTimes.clear();
      const samples = await interleave<Sample>(
        [
          { name: 'ceiling', run: () => meter.measure(runs, () => ceiling.run(runs)) },
          ...FOLLOW_METHODS.map((followMethod) => ({
            name: followMethod,
            run: () => meter.measure(runs, () => load(runs, followMethod), clocks),
          })),
        ],
        repetitions,
        (phase, { runsPerSecond }) => progress(`${phase}: ${formatNumber(runsPerSecond)} runs/s`),
      );
      await countHistory(database, FOLLOW_METHODS.length * (WARM_UP_RUNS + repetitions * runs));
      const ratios = Object.fromEntries(
        FOLLOW_METHODS.map((followMethod) => [followMethod, computeThroughputShares(samples, followMethod, 'ceiling')]),
      );
      return {
        tables: [
          toSampleTable(
            `http: ${formatNumber(runs)} runs per repetition, ${repetitions} repetitions, medians`,
            samples,
          ),
          responseTimes.toTable(),
        ],
        notes: FOLLOW_METHODS.map((followMethod) => {
          const cpu = computeCpuPerRun(samples.get(followMethod) ?? []);
          return `${followMethod}: ${formatShares(ratios[followMethod] ?? [])} of the ceiling, ${formatNumber(cpu, 2)} ms CPU per run in server and PostgreSQL.`;
        }),
        figures: {
          runs,
          repetitions,
          samples: Object.fromEntries(samples),
          ratios,
          requests: responseTimes.toFigures(),
        },
      };
    } finally {
      await driver.close();
      await meter.close();
      await ceiling.close();
      await server.close();
    }
  },
};

/** Response times of requests, as measured by the client. */
class ResponseTimes {
  private readonly byFollowMethod = new Map<
    FollowMethod,
    { startMs: number[]; decideMs: number[]; otherRequestCount: number }
  >();

  add(
    followMethod: FollowMethod,
    { startMs, decideMs, otherRequestCount }: { startMs: number[]; decideMs: number[]; otherRequestCount: number },
  ): void {
    const previous = this.byFollowMethod.get(followMethod) ?? { startMs: [], decideMs: [], otherRequestCount: 0 };
    this.byFollowMethod.set(followMethod, {
      startMs: [...previous.startMs, ...startMs],
      decideMs: [...previous.decideMs, ...decideMs],
      otherRequestCount: previous.otherRequestCount + otherRequestCount,
    });
  }

  clear(): void {
    this.byFollowMethod.clear();
  }

  toFigures(): {
    followMethod: FollowMethod;
    start: [number, number];
    decide: [number, number];
    otherRequestsPerRun: number;
  }[] {
    const medianAndP95 = (times: readonly number[]): [number, number] => [median(times), quantile(times, 0.95)];
    return [...this.byFollowMethod].map(([followMethod, { startMs, decideMs, otherRequestCount }]) => ({
      followMethod,
      start: medianAndP95(startMs),
      decide: medianAndP95(decideMs),
      otherRequestsPerRun: otherRequestCount / startMs.length,
    }));
  }

  toTable(): Table {
    return {
      title: 'Response times in ms, as measured by the client',
      columns: ['followed by', 'start p50', 'p95', 'decide p50', 'p95', 'other requests/run'],
      rows: this.toFigures().map(({ followMethod, start, decide, otherRequestsPerRun }) => [
        followMethod,
        ...[...start, ...decide].map((ms) => formatNumber(ms, 1)),
        formatNumber(otherRequestsPerRun, 2),
      ]),
    };
  }
}
