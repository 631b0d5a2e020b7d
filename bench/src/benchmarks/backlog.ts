import type { Benchmark } from '../benchmark.js';
import { interleave } from '../measure/interleave.js';
import { measureLatencies } from '../measure/latency.js';
import { Meter } from '../measure/meter.js';
import { toSampleTable, computeThroughputShares } from '../measure/sample-table.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatShares } from '../measure/table.js';
import { vacuum } from '../postgres/multiply-runs.js';
import { openEngine } from '../workload/engine-under-test.js';

const BACKLOG = 20_000;
const PAGE_SIZE = 50;
const PAGE_READS = 500;
const RUNS = 5_000;
const WARM_UP_RUNS = 3_000;

/** The approval workload while 20,000 runs wait for an approval, compared with the same workload without them. */
export const backlog: Benchmark = {
  name: 'backlog',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const databases = { empty: await postgres.createDatabase(), backlog: await postgres.createDatabase() };
    const engines = { empty: await openEngine(databases.empty), backlog: await openEngine(databases.backlog) };
    const meter = await Meter.open(postgres.connectionString);
    try {
      progress(`starting ${formatNumber(BACKLOG)} waiting runs`);
      await engines.backlog.startWaitingRuns(BACKLOG);
      await vacuum(databases.backlog);
      const pageBefore = await measureLatencies({ pending: () => readPendingPage(engines.backlog) }, PAGE_READS);
      progress('warming up');
      for (const engine of [engines.empty, engines.backlog]) await engine.completeRuns(WARM_UP_RUNS);
      const samples = await interleave(
        [
          { name: 'without backlog', run: () => meter.measure(runs, () => engines.empty.completeRuns(runs)) },
          { name: 'with backlog', run: () => meter.measure(runs, () => engines.backlog.completeRuns(runs)) },
        ],
        repetitions,
        (phase, { runsPerSecond }) => progress(`${phase}: ${formatNumber(runsPerSecond)} runs/s`),
      );
      const pageAfter = await measureLatencies({ pending: () => readPendingPage(engines.backlog) }, PAGE_READS);
      const ratios = computeThroughputShares(samples, 'with backlog', 'without backlog');
      return {
        tables: [
          toSampleTable(
            `backlog: ${formatNumber(BACKLOG)} runs wait for an approval; ${formatNumber(runs)} runs per repetition, ${repetitions} repetitions, medians`,
            samples,
          ),
          {
            title: `A page of ${PAGE_SIZE} pending approvals in ms, through the storage port`,
            columns: ['when', 'p50', 'p95'],
            rows: [
              ['before the workload', formatNumber(pageBefore.pending.p50, 2), formatNumber(pageBefore.pending.p95, 2)],
              ['after the workload', formatNumber(pageAfter.pending.p50, 2), formatNumber(pageAfter.pending.p95, 2)],
            ],
          },
        ],
        notes: [`Throughput with the backlog, as a share of that without: ${formatShares(ratios)}.`],
        figures: {
          backlog: BACKLOG,
          runs,
          repetitions,
          samples: Object.fromEntries(samples),
          ratios,
          ratio: median(ratios),
          pageBefore,
          pageAfter,
        },
      };
    } finally {
      await meter.close();
      await engines.empty.close();
      await engines.backlog.close();
    }
  },
};

async function readPendingPage({ storage }: Awaited<ReturnType<typeof openEngine>>): Promise<void> {
  const { items } = await storage.listApprovals({ status: 'pending' }, { limit: PAGE_SIZE });
  if (items.length !== PAGE_SIZE) throw new Error(`Expected a page of ${PAGE_SIZE} items, but got ${items.length}.`);
}
