import type { Benchmark } from '../benchmark.js';
import { interleave } from '../measure/interleave.js';
import { latencies } from '../measure/latency.js';
import { Meter } from '../measure/meter.js';
import { sampleTable, shares } from '../measure/sample-table.js';
import { median } from '../measure/statistics.js';
import { figure, percents } from '../measure/table.js';
import { settle } from '../postgres/multiply-runs.js';
import { openEngine } from '../workload/engine-under-test.js';

const BACKLOG = 20_000;
const PAGE = 50;
const PAGES = 500;
const RUNS = 5_000;
const WARM_UP_RUNS = 3_000;

/** The approval workload while 20,000 runs wait at an approval, compared with the same workload without them. */
export const backlog: Benchmark = {
  name: 'backlog',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const databases = { empty: await postgres.createDatabase(), backlog: await postgres.createDatabase() };
    const engines = { empty: await openEngine(databases.empty), backlog: await openEngine(databases.backlog) };
    const meter = await Meter.open(postgres.connectionString);
    try {
      progress(`starting ${figure(BACKLOG)} waiting runs`);
      await engines.backlog.startRuns(BACKLOG);
      await settle(databases.backlog);
      const page = await latencies({ pending: () => pendingPage(engines.backlog) }, PAGES);
      progress('warming up');
      for (const engine of [engines.empty, engines.backlog]) await engine.completeRuns(WARM_UP_RUNS);
      const samples = await interleave(
        [
          { name: 'without backlog', run: () => meter.measure(runs, () => engines.empty.completeRuns(runs)) },
          { name: 'with backlog', run: () => meter.measure(runs, () => engines.backlog.completeRuns(runs)) },
        ],
        repetitions,
        (phase, { runsPerSecond }) => progress(`${phase}: ${figure(runsPerSecond)} runs/s`),
      );
      const after = await latencies({ pending: () => pendingPage(engines.backlog) }, PAGES);
      const ratios = shares(samples, 'with backlog', 'without backlog');
      return {
        tables: [
          sampleTable(
            `backlog: ${figure(BACKLOG)} runs wait at an approval; ${figure(runs)} runs per repetition, ${repetitions} repetitions, medians`,
            samples,
          ),
          {
            title: `A page of ${PAGE} pending approvals in ms, through the storage port`,
            columns: ['when', 'p50', 'p95'],
            rows: [
              ['before the workload', figure(page.pending.p50, 2), figure(page.pending.p95, 2)],
              ['after the workload', figure(after.pending.p50, 2), figure(after.pending.p95, 2)],
            ],
          },
        ],
        notes: [`Throughput with the backlog, as a share of that without: ${percents(ratios)}.`],
        figures: {
          backlog: BACKLOG,
          runs,
          repetitions,
          samples: Object.fromEntries(samples),
          ratios,
          ratio: median(ratios),
          page,
          after,
        },
      };
    } finally {
      await meter.close();
      await engines.empty.close();
      await engines.backlog.close();
    }
  },
};

async function pendingPage({ storage }: Awaited<ReturnType<typeof openEngine>>): Promise<void> {
  const { items } = await storage.listApprovals({ status: 'pending' }, { limit: PAGE });
  if (items.length !== PAGE) throw new Error(`A page of ${PAGE} has ${items.length}.`);
}
