import type { Sample } from './meter.js';

export interface Phase<T = Sample> {
  readonly name: string;
  run(): Promise<T>;
}

/** Measures phases alternately and repeatedly, so that a temporary disturbance of the machine affects all of them. */
export async function interleave<T>(
  phases: readonly Phase<T>[],
  repetitions: number,
  progress: (text: string, sample: T) => void,
): Promise<Map<string, T[]>> {
  const samples = new Map<string, T[]>(phases.map(({ name }) => [name, []]));
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const { name, run } of phases) {
      const sample = await run();
      samples.get(name)?.push(sample);
      progress(`${repetition}/${repetitions} ${name}`, sample);
    }
  }
  return samples;
}
