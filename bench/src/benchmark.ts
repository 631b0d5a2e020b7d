import type { BenchPostgres } from './postgres/bench-postgres.js';
import type { Table } from './measure/table.js';

export interface BenchContext {
  readonly runs: number | undefined;
  readonly repetitions: number;
  /** Directory of a built checkout of an earlier version to compare with. */
  readonly before: string | undefined;
  /** Reports progress; not part of the result. */
  progress(text: string): void;
}

export interface DatabaseContext extends BenchContext {
  readonly postgres: BenchPostgres;
}

export interface BenchReport {
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  /** All measurements, for `--json`. */
  readonly figures: object;
}

export type Benchmark = { readonly name: string } & (
  | { readonly database: true; run(context: DatabaseContext): Promise<BenchReport> }
  /** Runs in memory, without a database. */
  | { readonly database: false; run(context: BenchContext): Promise<BenchReport> }
);
