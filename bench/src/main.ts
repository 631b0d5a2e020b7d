import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { readArguments, USAGE, type BenchArguments } from './arguments.js';
import type { Benchmark } from './benchmark.js';
import { approval } from './benchmarks/approval.js';
import { backlog } from './benchmarks/backlog.js';
import { http } from './benchmarks/http.js';
import { pages } from './benchmarks/pages.js';
import { describeMachine, formatMachine } from './measure/machine.js';
import { formatTable } from './measure/table.js';
import { startBenchPostgres, type BenchPostgres } from './postgres/bench-postgres.js';

const BENCHMARKS: readonly Benchmark[] = [approval, http, backlog, pages];

async function main(args: BenchArguments): Promise<void> {
  const figures: Record<string, object> = {};
  for (const benchmark of BENCHMARKS.filter(({ name }) => args.names.includes(name))) {
    // A server of its own for each: none inherits another one's caches, bloat or checkpoints.
    const postgres = await startBenchPostgres();
    try {
      figures[benchmark.name] = await report(benchmark, args, postgres);
    } finally {
      await postgres.stop();
    }
  }
  if (args.json !== undefined) await writeFile(args.json, `${JSON.stringify(figures, null, 2)}\n`);
}

async function report(benchmark: Benchmark, { runs, repetitions }: BenchArguments, postgres: BenchPostgres): Promise<object> {
  const machine = await describeMachine(postgres.connectionString);
  const progress = (text: string): void => void process.stderr.write(`${benchmark.name}: ${text}\n`);
  const { tables, notes, figures } = await benchmark.run({ postgres, runs, repetitions, progress });
  process.stdout.write(`\n${[formatMachine(machine), ...tables.map(formatTable), notes.join('\n')].join('\n\n')}\n`);
  return { machine, ...figures };
}

try {
  const args = readArguments(process.argv.slice(2), BENCHMARKS.map(({ name }) => name));
  await main(args);
} catch (error) {
  if (error instanceof TypeError) process.stderr.write(`${error.message}\n\n${USAGE}`);
  else console.error(error);
  // What a benchmark that failed has left open must not keep the process alive.
  process.exit(1);
}
