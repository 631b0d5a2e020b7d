import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { readArguments, USAGE, type BenchArguments } from './arguments.js';
import type { Benchmark, BenchContext, BenchReport } from './benchmark.js';
import { agents } from './benchmarks/agents.js';
import { approval } from './benchmarks/approval.js';
import { backlog } from './benchmarks/backlog.js';
import { desktop } from './benchmarks/desktop.js';
import { blockedLoop } from './benchmarks/blocked-loop.js';
import { engines } from './benchmarks/engines.js';
import { hostile } from './benchmarks/hostile.js';
import { http } from './benchmarks/http.js';
import { ingress } from './benchmarks/ingress.js';
import { interpreter } from './benchmarks/interpreter.js';
import { lockedRun } from './benchmarks/locked-run.js';
import { mcpFlood } from './benchmarks/mcp-flood.js';
import { pages } from './benchmarks/pages.js';
import { rateLimits } from './benchmarks/rate-limits.js';
import { servers } from './benchmarks/servers.js';
import { redaction } from './benchmarks/redaction.js';
import { timers } from './benchmarks/timers.js';
import { trials } from './benchmarks/trials.js';
import { web } from './benchmarks/web.js';
import { xml } from './benchmarks/xml.js';
import { describeMachine, formatMachine, type Machine } from './measure/machine.js';
import { formatTable } from './measure/table.js';
import { startBenchPostgres } from './postgres/bench-postgres.js';

const BENCHMARKS: readonly Benchmark[] = [
  approval,
  http,
  ingress,
  agents,
  engines,
  servers,
  backlog,
  lockedRun,
  blockedLoop,
  timers,
  pages,
  interpreter,
  hostile,
  mcpFlood,
  rateLimits,
  redaction,
  xml,
  web,
  desktop,
  trials,
];

async function main(args: BenchArguments): Promise<void> {
  const figures: Record<string, object> = {};
  for (const benchmark of BENCHMARKS.filter(({ name }) => args.names.includes(name))) {
    const { machine, report } = await measure(benchmark, args);
    process.stdout.write(
      `\n${[formatMachine(machine), ...report.tables.map(formatTable), report.notes.join('\n')].join('\n\n')}\n`,
    );
    figures[benchmark.name] = { machine, ...report.figures };
  }
  if (args.json !== undefined) await writeFile(args.json, `${JSON.stringify(figures, null, 2)}\n`);
}

async function measure(
  benchmark: Benchmark,
  { runs, repetitions, before }: BenchArguments,
): Promise<{ machine: Machine; report: BenchReport }> {
  const progress = (text: string): void => void process.stderr.write(`${benchmark.name}: ${text}\n`);
  const context: BenchContext = { runs, repetitions, before, progress };
  if (!benchmark.database) return { machine: await describeMachine(), report: await benchmark.run(context) };
  // Each benchmark has a separate PostgreSQL server, unaffected by the caches, bloat or checkpoints of other
  // benchmarks.
  const postgres = await startBenchPostgres();
  try {
    return {
      machine: await describeMachine(postgres.connectionString),
      report: await benchmark.run({ ...context, postgres }),
    };
  } finally {
    await postgres.stop();
  }
}

try {
  const args = readArguments(
    process.argv.slice(2),
    BENCHMARKS.map(({ name }) => name),
  );
  await main(args);
} catch (error) {
  if (error instanceof TypeError) process.stderr.write(`${error.message}\n\n${USAGE}`);
  else console.error(error);
  // Open handles of a failed benchmark must not keep the process alive.
  process.exit(1);
}
