import type { BenchPostgres } from './postgres/bench-postgres.js';
import type { Table } from './measure/table.js';

export interface BenchContext {
  readonly postgres: BenchPostgres;
  readonly runs: number | undefined;
  readonly repetitions: number;
  /** Says how far it is; not part of the result. */
  progress(text: string): void;
}

export interface BenchReport {
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  /** Everything that was measured, for `--json`. */
  readonly figures: object;
}

export interface Benchmark {
  readonly name: string;
  run(context: BenchContext): Promise<BenchReport>;
}
