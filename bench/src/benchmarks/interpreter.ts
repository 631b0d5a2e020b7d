import type { Benchmark } from '../benchmark.js';
import { openBpmnEngine } from '../in-memory/bpmn-engine-runs.js';
import { openInterpreter } from '../in-memory/interpreter-runs.js';
import type { StateSizes } from '../in-memory/state-sizes.js';
import { interleave } from '../measure/interleave.js';
import { readOwnCpuTime } from '../measure/meter.js';
import { computeThroughputShares } from '../measure/sample-table.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatRange, type Table } from '../measure/table.js';

const RUNS = 10_000;
/**
 * Divisor of the number of runs for `bpmn-engine`, which is slower, so that both engines are measured for about the
 * same time.
 */
const SLOWDOWN = 50;

interface InMemorySample {
  readonly runsPerSecond: number;
  readonly cpuMs: number;
}

/** The approval workload, executed by `advance()` in memory without a database, compared with `bpmn-engine`. */
export const interpreter: Benchmark = {
  name: 'interpreter',
  database: false,
  async run({ runs = RUNS, repetitions, progress }) {
    const interpreterRuns = await openInterpreter();
    const bpmnEngine = await openBpmnEngine();
    const bpmnEngineRuns = Math.ceil(runs / SLOWDOWN);
    const phases = [
      { name: 'bpmn-engine', run: () => measure(bpmnEngineRuns, () => bpmnEngine.run(bpmnEngineRuns)) },
      { name: 'advance', run: () => measure(runs, () => interpreterRuns.advance(runs)) },
      { name: 'advance, history', run: () => measure(runs, () => interpreterRuns.record(runs)) },
    ];
    progress('warming up');
    for (const phase of phases) await phase.run();
    const samples = await interleave(phases, repetitions, (phase, { runsPerSecond }) =>
      progress(`${phase}: ${formatNumber(runsPerSecond)} runs/s`),
    );
    const ratios = {
      advance: computeThroughputShares(samples, 'advance', 'bpmn-engine'),
      history: computeThroughputShares(samples, 'advance, history', 'bpmn-engine'),
    };
    const sizes = { advance: interpreterRuns.measureSizes(), ...(await bpmnEngine.measureSizes()) };
    return {
      tables: [
        speedTable(
          `interpreter: ${formatNumber(runs)} runs per repetition (bpmn-engine ${formatNumber(bpmnEngineRuns)}), ${repetitions} repetitions, medians`,
          samples,
        ),
        sizeTable(sizes),
      ],
      notes: [
        `advance: ${formatFactor(ratios.advance)} as fast as bpmn-engine; with its history ${formatFactor(ratios.history)}.`,
      ],
      figures: { runs, repetitions, samples: Object.fromEntries(samples), ratios, sizes },
    };
  },
};

async function measure(runs: number, work: () => Promise<void> | void): Promise<InMemorySample> {
  const cpuBefore = readOwnCpuTime() ?? Number.NaN;
  const startedAt = performance.now();
  await work();
  return {
    runsPerSecond: (runs / (performance.now() - startedAt)) * 1000,
    cpuMs: ((readOwnCpuTime() ?? Number.NaN) - cpuBefore) / runs,
  };
}

function formatFactor(ratios: readonly number[]): string {
  return `${formatNumber(median(ratios), 1)} times (${formatRange(ratios, 1)})`;
}

function speedTable(title: string, samples: ReadonlyMap<string, readonly InMemorySample[]>): Table {
  return {
    title,
    columns: ['engine', 'runs/s', 'min – max', 'CPU ms/run'],
    rows: [...samples].map(([name, all]) => {
      const rates = all.map(({ runsPerSecond }) => runsPerSecond);
      return [
        name,
        formatNumber(median(rates)),
        formatRange(rates),
        formatNumber(median(all.map(({ cpuMs }) => cpuMs)), 3),
      ];
    }),
  };
}

function sizeTable({
  advance,
  wholeSizes,
  sizesWithoutSource,
}: Record<'advance' | 'wholeSizes' | 'sizesWithoutSource', StateSizes>): Table {
  const row = (name: string, { maxBytes, endBytes }: StateSizes): string[] => [
    name,
    formatNumber(maxBytes),
    formatNumber(endBytes),
  ];
  return {
    title: 'State of a run in bytes, as JSON',
    columns: ['engine', 'maximum', 'after the end'],
    rows: [
      row('advance', advance),
      row('bpmn-engine', wholeSizes),
      row('bpmn-engine, without its copy of the process', sizesWithoutSource),
    ],
  };
}
