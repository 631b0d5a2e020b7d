import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileWorkflows } from '@countersign/bpmn';
import { locateElements } from '@countersign/bpmn/lint';
import type { Benchmark } from '../benchmark.js';
import { MODEL_ATTACKS } from '../hostile/model-attacks.js';
import { locateElementsWithSaxes } from '../in-memory/locate-elements-with-saxes.js';
import { interleave } from '../measure/interleave.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatRange } from '../measure/table.js';

/** Minimum CPU time of a sample, in ms. */
const SAMPLE_MS = 100;
const LARGE_MODELS = ['4,900 approvals in a row', '9,900 unreachable tasks'];

interface Measurement {
  readonly model: string;
  readonly kilobytes: number;
  readonly elements: number;
  readonly cursor: readonly number[];
  readonly saxes: readonly number[];
  readonly compile: readonly number[];
}

/**
 * Check of BPMN files before they are parsed, by the XML cursor of `@countersign/bpmn` and by saxes: the file is
 * well-formed and within the limits; the location of each id is recorded.
 */
export const xml: Benchmark = {
  name: 'xml',
  database: false,
  async run({ repetitions, progress }) {
    const measurements: Measurement[] = [];
    for (const { model, source, compiles } of [
      ...readExampleModels(),
      ...LARGE_MODELS.map((model) => ({ model, source: MODEL_ATTACKS[model] ?? '', compiles: false })),
    ]) {
      const [cursorLocations, saxesLocations] = [locateElements(source), locateElementsWithSaxes(source)];
      if (cursorLocations.size === 0 || JSON.stringify([...cursorLocations]) !== JSON.stringify([...saxesLocations]))
        throw new Error(`The two parsers find different locations in ${model}.`);
      const phases = [
        { name: 'cursor', run: measureCpu(() => void locateElements(source)) },
        { name: 'saxes', run: measureCpu(() => void locateElementsWithSaxes(source)) },
        ...(compiles ? [{ name: 'compile', run: measureCpu(async () => void (await compileWorkflows(source))) }] : []),
      ];
      for (const phase of phases) await phase.run();
      const samples = await interleave(phases, repetitions, (phase, ms) =>
        progress(`${model}, ${phase}: ${formatNumber(ms, 2)} ms`),
      );
      const getSamples = (phase: string): readonly number[] => samples.get(phase) ?? [];
      measurements.push({
        model,
        kilobytes: Buffer.byteLength(source) / 1000,
        elements: source.split(/<\w/).length - 1,
        cursor: getSamples('cursor'),
        saxes: getSamples('saxes'),
        compile: getSamples('compile'),
      });
    }
    const rows = measurements.map(({ model, kilobytes, elements, cursor, saxes, compile }) => {
      const ratios = saxes.map((ms, index) => ms / (cursor[index] ?? Number.NaN));
      return [
        model,
        formatNumber(kilobytes),
        formatNumber(elements),
        formatNumber(median(cursor), 2),
        formatNumber(median(saxes), 2),
        formatNumber(median(ratios), 2),
        formatRange(ratios, 2),
        compile.length === 0 ? '–' : formatNumber(median(compile), 2),
      ];
    });
    return {
      tables: [
        {
          title: `xml: ms of CPU per pass, medians of ${repetitions}`,
          columns: ['model', 'kB', 'elements', 'cursor', 'saxes', 'saxes : cursor', 'min – max', 'whole compilation'],
          rows,
        },
      ],
      notes: [
        'Both check the same limits and find the same locations; the compilation includes the check by the cursor.',
      ],
      figures: { measurements },
    };
  },
};

function readExampleModels(): { readonly model: string; readonly source: string; readonly compiles: boolean }[] {
  const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.bpmn') && !file.includes('node_modules'),
  );
  return files.sort().map((file) => ({
    model: file.replace(/^.*\//, ''),
    source: readFileSync(`${examples}${file}`, 'utf8'),
    compiles: true,
  }));
}

/**
 * Returns a function that repeats work until its CPU time is measurable, and returns the CPU time per repetition in ms,
 * which other load on the machine affects less than elapsed time.
 */
function measureCpu(work: () => Promise<void> | void): () => Promise<number> {
  return async () => {
    const cpuBefore = process.cpuUsage();
    let passCount = 0;
    let cpuMs: number;
    do {
      await work();
      passCount += 1;
      const { user, system } = process.cpuUsage(cpuBefore);
      cpuMs = (user + system) / 1000;
    } while (cpuMs < SAMPLE_MS);
    return cpuMs / passCount;
  };
}
