import type { Benchmark } from '../benchmark.js';
import { openBpmnEngine } from '../in-memory/bpmn-engine-runs.js';
import { openInterpreter } from '../in-memory/interpreter-runs.js';
import type { StateSizes } from '../in-memory/state-sizes.js';
import { interleave } from '../measure/interleave.js';
import { thisProcess } from '../measure/meter.js';
import { shares } from '../measure/sample-table.js';
import { median } from '../measure/statistics.js';
import { figure, range, type Table } from '../measure/table.js';

const RUNS = 10_000;
/** Divisor of the number of runs of the slow engine, so that both are measured for about as long. */
const SLOWER = 50;

interface InMemorySample {
  readonly runsPerSecond: number;
  readonly cpuMs: number;
}

/** The approval workload by `advance()` in memory, without a database, compared with `bpmn-engine`. */
export const interpreter: Benchmark = {
  name: 'interpreter',
  database: false,
  async run({ runs = RUNS, repetitions, progress }) {
    const ours = await openInterpreter();
    const other = await openBpmnEngine();
    const others = Math.ceil(runs / SLOWER);
    const phases = [
      { name: 'bpmn-engine', run: () => measure(others, () => other.run(others)) },
      { name: 'advance', run: () => measure(runs, () => ours.advance(runs)) },
      { name: 'advance, history', run: () => measure(runs, () => ours.record(runs)) },
    ];
    progress('warming up');
    for (const phase of phases) await phase.run();
    const samples = await interleave(phases, repetitions, (phase, { runsPerSecond }) =>
      progress(`${phase}: ${figure(runsPerSecond)} runs/s`),
    );
    const ratios = {
      advance: shares(samples, 'advance', 'bpmn-engine'),
      history: shares(samples, 'advance, history', 'bpmn-engine'),
    };
    const sizes = { advance: ours.sizes(), ...(await other.sizes()) };
    return {
      tables: [
        speedTable(
          `interpreter: ${figure(runs)} runs per repetition (bpmn-engine ${figure(others)}), ${repetitions} repetitions, medians`,
          samples,
        ),
        sizeTable(sizes),
      ],
      notes: [`advance: ${times(ratios.advance)} as fast as bpmn-engine; with its history ${times(ratios.history)}.`],
      figures: { runs, repetitions, samples: Object.fromEntries(samples), ratios, sizes },
    };
  },
};

async function measure(runs: number, work: () => Promise<void> | void): Promise<InMemorySample> {
  const cpuBefore = thisProcess() ?? Number.NaN;
  const startedAt = performance.now();
  await work();
  return {
    runsPerSecond: (runs / (performance.now() - startedAt)) * 1000,
    cpuMs: ((thisProcess() ?? Number.NaN) - cpuBefore) / runs,
  };
}

function times(ratios: readonly number[]): string {
  return `${figure(median(ratios), 1)} times (${range(ratios, 1)})`;
}

function speedTable(title: string, samples: ReadonlyMap<string, readonly InMemorySample[]>): Table {
  return {
    title,
    columns: ['in memory', 'runs/s', 'least – most', 'CPU ms/run'],
    rows: [...samples].map(([name, all]) => {
      const rates = all.map(({ runsPerSecond }) => runsPerSecond);
      return [name, figure(median(rates)), range(rates), figure(median(all.map(({ cpuMs }) => cpuMs)), 3)];
    }),
  };
}

function sizeTable({ advance, whole, bare }: Record<'advance' | 'whole' | 'bare', StateSizes>): Table {
  const row = (name: string, { largest, ended }: StateSizes): string[] => [name, figure(largest), figure(ended)];
  return {
    title: 'State of a run in bytes, as JSON',
    columns: ['of', 'at its maximum', 'after the end'],
    rows: [
      row('advance', advance),
      row('bpmn-engine', whole),
      row('bpmn-engine, without its copy of the process', bare),
    ],
  };
}
