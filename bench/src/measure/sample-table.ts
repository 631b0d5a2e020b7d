import type { Sample } from './meter.js';
import { median } from './statistics.js';
import { figure, range, type Table } from './table.js';

/** Returns a table with medians of samples, a row per phase, and the spread of the throughput. */
export function sampleTable(title: string, samples: ReadonlyMap<string, readonly Sample[]>): Table {
  const driver = [...samples.values()].flat().some((sample) => sample.driverCpuMs !== undefined);
  return {
    title,
    columns: [
      'phase',
      'runs/s',
      'least – most',
      'CPU ms/run',
      'of Node',
      'of PostgreSQL',
      ...(driver ? ['driver'] : []),
      'WAL kB/run',
      'others, cores',
    ],
    rows: [...samples].map(([name, all]) => {
      const rate = all.map((sample) => sample.runsPerSecond);
      const node = middle(all, (sample) => sample.nodeCpuMs);
      const postgres = middle(all, (sample) => sample.postgresCpuMs);
      return [
        name,
        figure(median(rate)),
        range(rate),
        figure(cpuOf(all), 2),
        figure(node, 2),
        figure(postgres, 2),
        ...(driver
          ? [
              figure(
                middle(all, (sample) => sample.driverCpuMs),
                2,
              ),
            ]
          : []),
        figure((middle(all, (sample) => sample.walBytes) ?? Number.NaN) / 1000, 1),
        figure(
          middle(all, (sample) => sample.othersCores),
          2,
        ),
      ];
    }),
  };
}

/** Returns the CPU per run of Node.js and PostgreSQL together, without a separate load driver. */
export function cpuOf(samples: readonly Sample[]): number | undefined {
  return middle(samples, ({ nodeCpuMs, postgresCpuMs }) =>
    nodeCpuMs === undefined || postgresCpuMs === undefined ? undefined : nodeCpuMs + postgresCpuMs,
  );
}

/**
 * Returns the throughput of one phase as a share of another's, by repetition: a temporary disturbance of the machine
 * affects both.
 */
export function shares(
  samples: ReadonlyMap<string, readonly Pick<Sample, 'runsPerSecond'>[]>,
  phase: string,
  of: string,
): number[] {
  const whole = samples.get(of) ?? [];
  return (samples.get(phase) ?? []).map(
    ({ runsPerSecond }, index) => runsPerSecond / (whole[index]?.runsPerSecond ?? Number.NaN),
  );
}

function middle(samples: readonly Sample[], value: (sample: Sample) => number | undefined): number | undefined {
  const values = samples.flatMap((sample) => value(sample) ?? []);
  return values.length === 0 ? undefined : median(values);
}
