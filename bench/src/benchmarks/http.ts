import type { Benchmark } from '../benchmark.js';
import { LoadDriver } from '../http/load-driver.js';
import { FOLLOWING, type Following } from '../http/messages.js';
import { startServerProcess } from '../http/server-process.js';
import { interleave } from '../measure/interleave.js';
import { Meter, type Sample } from '../measure/meter.js';
import { cpuOfProcess } from '../measure/process-times.js';
import { cpuOf, sampleTable, shares } from '../measure/sample-table.js';
import { median, quantile } from '../measure/statistics.js';
import { figure, percents, type Table } from '../measure/table.js';
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
      starterToken: await server.token('starter', 'operator'),
      approverToken: await server.token('approver', 'approver'),
    };
    const clocks = { node: () => cpuOfProcess(server.pid), driver: () => cpuOfProcess(driver.pid) };
    const requests = new Requests();
    const load = async (count: number, following: Following): Promise<void> => {
      requests.add(following, await driver.load({ url: server.url, ...tokens, runs: count, following }));
    };
    try {
      progress('warming up');
      await ceiling.run(WARM_UP_RUNS);
      for (const following of FOLLOWING) await load(WARM_UP_RUNS, following);
      requests.clear();
      const samples = await interleave<Sample>(
        [
          { name: 'ceiling', run: () => meter.measure(runs, () => ceiling.run(runs)) },
          ...FOLLOWING.map((following) => ({
            name: following,
            run: () => meter.measure(runs, () => load(runs, following), clocks),
          })),
        ],
        repetitions,
        (phase, { runsPerSecond }) => progress(`${phase}: ${figure(runsPerSecond)} runs/s`),
      );
      await countHistory(database, FOLLOWING.length * (WARM_UP_RUNS + repetitions * runs));
      const ratios = Object.fromEntries(
        FOLLOWING.map((following) => [following, shares(samples, following, 'ceiling')]),
      );
      return {
        tables: [
          sampleTable(`http: ${figure(runs)} runs per repetition, ${repetitions} repetitions, medians`, samples),
          requests.table(),
        ],
        notes: FOLLOWING.map((following) => {
          const cpu = cpuOf(samples.get(following) ?? []);
          return `${following}: ${percents(ratios[following] ?? [])} of the ceiling, ${figure(cpu, 2)} ms CPU per run in server and PostgreSQL.`;
        }),
        figures: { runs, repetitions, samples: Object.fromEntries(samples), ratios, requests: requests.figures() },
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
class Requests {
  private readonly all = new Map<Following, { startMs: number[]; decideMs: number[]; otherRequests: number }>();

  add(
    following: Following,
    { startMs, decideMs, otherRequests }: { startMs: number[]; decideMs: number[]; otherRequests: number },
  ): void {
    const known = this.all.get(following) ?? { startMs: [], decideMs: [], otherRequests: 0 };
    this.all.set(following, {
      startMs: [...known.startMs, ...startMs],
      decideMs: [...known.decideMs, ...decideMs],
      otherRequests: known.otherRequests + otherRequests,
    });
  }

  clear(): void {
    this.all.clear();
  }

  figures(): {
    following: Following;
    start: [number, number];
    decide: [number, number];
    otherRequestsPerRun: number;
  }[] {
    const spread = (times: readonly number[]): [number, number] => [median(times), quantile(times, 0.95)];
    return [...this.all].map(([following, { startMs, decideMs, otherRequests }]) => ({
      following,
      start: spread(startMs),
      decide: spread(decideMs),
      otherRequestsPerRun: otherRequests / startMs.length,
    }));
  }

  table(): Table {
    return {
      title: 'Response times in ms, as measured by the client',
      columns: ['followed by', 'start p50', 'p95', 'decide p50', 'p95', 'other requests/run'],
      rows: this.figures().map(({ following, start, decide, otherRequestsPerRun }) => [
        following,
        ...[...start, ...decide].map((ms) => figure(ms, 1)),
        figure(otherRequestsPerRun, 2),
      ]),
    };
  }
}
