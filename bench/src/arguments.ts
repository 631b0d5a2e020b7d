import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface BenchArguments {
  /** Benchmarks to run, by name. */
  readonly names: readonly string[];
  /** Path of a JSON file to which the figures are also written. */
  readonly json: string | undefined;
  /** Runs per repetition, if different from the default of the benchmark. */
  readonly runs: number | undefined;
  readonly repetitions: number;
  /** Directory of a built checkout of an earlier version, for benchmarks that compare it with this one. */
  readonly before: string | undefined;
}

const DEFAULT_REPETITIONS = 5;

export const USAGE = `npm run bench -- [name …] [--runs N] [--repetitions N] [--json FILE] [--before DIRECTORY]

  --runs N         runs per repetition (each benchmark has its own default)
  --repetitions N  number of measurements of each phase (default ${DEFAULT_REPETITIONS})
  --json FILE      also writes the figures as JSON
  --before DIRECTORY  also measures an earlier version, which is built in this directory (trials)
`;

/** @throws {TypeError} if an argument is invalid */
export function readArguments(args: readonly string[], benchmarkNames: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      runs: { type: 'string' },
      repetitions: { type: 'string' },
      before: { type: 'string' },
    },
  });
  for (const name of positionals) {
    if (!benchmarkNames.includes(name))
      throw new TypeError(`Unknown benchmark "${name}". Choose from: ${benchmarkNames.join(', ')}.`);
  }
  return {
    names: positionals.length === 0 ? benchmarkNames : positionals,
    json: values.json,
    before: values.before === undefined ? undefined : resolve(values.before),
    runs: values.runs === undefined ? undefined : requirePositiveInteger('runs', values.runs),
    repetitions:
      values.repetitions === undefined
        ? DEFAULT_REPETITIONS
        : requirePositiveInteger('repetitions', values.repetitions),
  };
}

function requirePositiveInteger(option: string, rawValue: string): number {
  const value = Number(rawValue);
  if (!Number.isInteger(value) || value < 1) throw new TypeError(`--${option} requires a positive integer.`);
  return value;
}
