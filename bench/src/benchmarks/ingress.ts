import type { Benchmark } from '../benchmark.js';
import { interleave } from '../measure/interleave.js';
import { Meter } from '../measure/meter.js';
import { toSampleTable, computeThroughputShares } from '../measure/sample-table.js';
import { median, quantile } from '../measure/statistics.js';
import { formatNumber, formatShares, type Table } from '../measure/table.js';
import { openIngress } from '../workload/ingress-under-test.js';
import { openPlainInserts } from '../workload/plain-inserts.js';

const EVENTS = 5_000;
const WARM_UP_EVENTS = 1_000;
/** Number of events sent one after the other. */
const SEQUENTIAL_EVENTS = 200;

/** Signed events, verified and recorded, compared with plain inserts into the same database. */
export const ingress: Benchmark = {
  name: 'ingress',
  database: true,
  async run({ postgres, runs: events = EVENTS, repetitions, progress }) {
    const database = await postgres.createDatabase();
    const plainInserts = await openPlainInserts(database);
    const ingress = await openIngress(database);
    const meter = await Meter.open(database);
    const times = { concurrent: [] as number[], sequential: [] as number[] };
    try {
      progress('warming up');
      await plainInserts.insert(WARM_UP_EVENTS);
      await ingress.deliver(WARM_UP_EVENTS);
      await ingress.resume(await ingress.startWaitingRuns(WARM_UP_EVENTS));
      const resume = async () => {
        const correlationKeys = await ingress.startWaitingRuns(events);
        return meter.measure(
          events,
          async () => void times.concurrent.push(...(await ingress.resume(correlationKeys))),
        );
      };
      const samples = await interleave(
        [
          { name: 'plain inserts', run: () => meter.measure(events, () => plainInserts.insert(events)) },
          { name: 'no run waits', run: () => meter.measure(events, () => ingress.deliver(events)) },
          { name: 'a run waits', run: resume },
        ],
        repetitions,
        (phase, { runsPerSecond }) => progress(`${phase}: ${formatNumber(runsPerSecond)} events/s`),
      );
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        times.sequential.push(...(await ingress.resume(await ingress.startWaitingRuns(SEQUENTIAL_EVENTS), 1)));
      }
      const ratios = {
        uncorrelated: computeThroughputShares(samples, 'no run waits', 'plain inserts'),
        correlated: computeThroughputShares(samples, 'a run waits', 'plain inserts'),
      };
      const table = toSampleTable(
        `ingress: ${formatNumber(events)} events per repetition, ${repetitions} repetitions, medians`,
        samples,
      );
      return {
        tables: [
          { ...table, columns: table.columns.map((column) => column.replace(/run(s?)\b/, 'event$1')) },
          toTimesTable(times),
        ],
        notes: [
          `Share of the plain inserts: ${formatShares(ratios.uncorrelated)} if no run waits, ${formatShares(ratios.correlated)} if a run waits, including the start of its next job.`,
        ],
        figures: {
          events,
          repetitions,
          samples: Object.fromEntries(samples),
          ratios,
          toNextJobMs: { concurrent: percentiles(times.concurrent), sequential: percentiles(times.sequential) },
        },
      };
    } finally {
      await meter.close();
      await ingress.close();
      await plainInserts.close();
    }
  },
};

const percentiles = (times: readonly number[]) => ({ p50: median(times), p99: quantile(times, 0.99) });

function toTimesTable({
  concurrent,
  sequential,
}: {
  readonly concurrent: readonly number[];
  readonly sequential: readonly number[];
}): Table {
  return {
    title: 'From an event to the next job of its run, in ms',
    columns: ['events in flight', 'p50', 'p99'],
    rows: Object.entries({ '32': concurrent, '1': sequential }).map(([inFlight, times]) => [
      inFlight,
      formatNumber(percentiles(times).p50, 1),
      formatNumber(percentiles(times).p99, 1),
    ]),
  };
}
