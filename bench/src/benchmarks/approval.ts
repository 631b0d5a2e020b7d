import type { Benchmark } from '../benchmark.js';
import { interleave } from '../measure/interleave.js';
import { Meter } from '../measure/meter.js';
import { computeCpuPerRun, toSampleTable, computeThroughputShares } from '../measure/sample-table.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatShares } from '../measure/table.js';
import { countHistory } from '../postgres/count-history.js';
import { openCeiling } from '../workload/ceiling.js';
import { openEngine } from '../workload/engine-under-test.js';

const RUNS = 5_000;
const WARM_UP_RUNS = 3_000;

/** The approval workload through the engine port, compared with the ceiling of the same database. */
export const approval: Benchmark = {
  name: 'approval',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const database = await postgres.createDatabase();
    const engine = await openEngine(database);
    const ceiling = await openCeiling(database);
    const meter = await Meter.open(database);
    try {
      progress('warming up');
      await ceiling.run(WARM_UP_RUNS);
      await engine.completeRuns(WARM_UP_RUNS);
      const samples = await interleave(
        [
          { name: 'ceiling', run: () => meter.measure(runs, () => ceiling.run(runs)) },
          { name: 'approval', run: () => meter.measure(runs, () => engine.completeRuns(runs)) },
        ],
        repetitions,
        (phase, { runsPerSecond }) => progress(`${phase}: ${formatNumber(runsPerSecond)} runs/s`),
      );
      const history = await countHistory(database, WARM_UP_RUNS + repetitions * runs);
      const ratios = computeThroughputShares(samples, 'approval', 'ceiling');
      const cpu = computeCpuPerRun(samples.get('approval') ?? []);
      return {
        tables: [
          toSampleTable(
            `approval: ${formatNumber(runs)} runs per repetition, ${repetitions} repetitions, medians`,
            samples,
          ),
        ],
        notes: [
          `Share of the ceiling: ${formatShares(ratios)}. CPU: ${formatNumber(cpu, 2)} ms per run.`,
          `Stored per run: ${formatNumber(history.events, 1)} events, ${formatNumber(history.audit, 1)} audit events, ${formatNumber(history.votes, 1)} votes.`,
        ],
        figures: {
          runs,
          repetitions,
          samples: Object.fromEntries(samples),
          ratios,
          ratio: median(ratios),
          cpuMs: cpu,
          history,
        },
      };
    } finally {
      await meter.close();
      await ceiling.close();
      await engine.close();
    }
  },
};
