import type { Sample } from './meter.js';
import { median } from './statistics.js';
import { formatNumber, formatRange, type Table } from './table.js';

/** Columns of tables whose phases have such a process. */
const OPTIONAL_COLUMNS: readonly (readonly [column: string, value: (sample: Sample) => number | undefined])[] = [
  ['driver', ({ driverCpuMs }) => driverCpuMs],
  ['of Temporal', ({ clusterCpuMs }) => clusterCpuMs],
];

/** Returns a table with medians of samples, a row per phase, and the spread of the throughput. */
export function toSampleTable(title: string, samples: ReadonlyMap<string, readonly Sample[]>): Table {
  const optionalColumns = OPTIONAL_COLUMNS.filter(([, value]) =>
    [...samples.values()].flat().some((sample) => value(sample) !== undefined),
  );
  return {
    title,
    columns: [
      'phase',
      'runs/s',
      'min – max',
      'CPU ms/run',
      'of Node',
      'of PostgreSQL',
      ...optionalColumns.map(([column]) => column),
      'writing transactions/run',
      'WAL kB/run',
      'other processes, cores',
    ],
    rows: [...samples].map(([name, all]) => {
      const rates = all.map((sample) => sample.runsPerSecond);
      const node = computeMedian(all, (sample) => sample.nodeCpuMs);
      const postgres = computeMedian(all, (sample) => sample.postgresCpuMs);
      return [
        name,
        formatNumber(median(rates)),
        formatRange(rates),
        formatNumber(computeCpuPerRun(all), 2),
        formatNumber(node, 2),
        formatNumber(postgres, 2),
        ...optionalColumns.map(([, value]) => formatNumber(computeMedian(all, value), 2)),
        formatNumber(
          computeMedian(all, (sample) => sample.writingTransactions),
          2,
        ),
        formatNumber((computeMedian(all, (sample) => sample.walBytes) ?? Number.NaN) / 1000, 1),
        formatNumber(
          computeMedian(all, (sample) => sample.otherProcessesCores),
          2,
        ),
      ];
    }),
  };
}

/** Returns the CPU per run of Node.js, PostgreSQL and Temporal together, without a separate load driver. */
export function computeCpuPerRun(samples: readonly Sample[]): number | undefined {
  return computeMedian(samples, ({ nodeCpuMs, postgresCpuMs, clusterCpuMs = 0 }) =>
    nodeCpuMs === undefined || postgresCpuMs === undefined ? undefined : nodeCpuMs + postgresCpuMs + clusterCpuMs,
  );
}

/**
 * Returns the throughput of one phase as a share of another's, by repetition: a temporary disturbance of the machine
 * affects both.
 */
export function computeThroughputShares(
  samples: ReadonlyMap<string, readonly Pick<Sample, 'runsPerSecond'>[]>,
  phaseName: string,
  baseline: string,
): number[] {
  const baselineSamples = samples.get(baseline) ?? [];
  return (samples.get(phaseName) ?? []).map(
    ({ runsPerSecond }, index) => runsPerSecond / (baselineSamples[index]?.runsPerSecond ?? Number.NaN),
  );
}

export function computeMedian(
  samples: readonly Sample[],
  value: (sample: Sample) => number | undefined,
): number | undefined {
  const values = samples.flatMap((sample) => value(sample) ?? []);
  return values.length === 0 ? undefined : median(values);
}
