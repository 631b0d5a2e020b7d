import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Benchmark } from '../benchmark.js';
import { Meter, type Sample } from '../measure/meter.js';
import { median } from '../measure/statistics.js';
import { toSampleTable } from '../measure/sample-table.js';
import { formatNumber, type Table } from '../measure/table.js';
import { readTotalCpuTime, ServerProcess } from '../servers/server-process.js';
import type { WorkloadRequest } from '../servers/workload-requests.js';
import { IN_FLIGHT } from '../workload/limits.js';

const RUNS = 1_600;
/** Numbers of servers; each divides the number of runs in flight. More would need more than 100 connections. */
const SERVER_COUNTS = [1, 2, 4, 8] as const;
/** Idle connections of PostgreSQL report their statistics after 10 s. */
const STATISTICS_DELAY_MS = 11_000;
/** How long the servers are observed while they are idle, in s. */
const IDLE_SECONDS = 10;

/** Cost of one idle server. */
interface IdleSample {
  readonly connections: number;
  /** Transactions per second, nearly all of which only read. */
  readonly transactions: number;
  /** CPU times are in ms per second. */
  readonly nodeCpuMs: number | undefined;
  /** CPU of its connections. Background processes of PostgreSQL, such as the autovacuum, may still tidy up. */
  readonly postgresCpuMs: number | undefined;
}

interface Round {
  readonly idle: IdleSample;
  readonly busy: Sample;
}

/** The workload on several servers that share a database, with the same number of runs in flight on all together. */
export const servers: Benchmark = {
  name: 'servers',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const rounds = new Map<number, Round[]>(SERVER_COUNTS.map((count) => [count, []]));
    for (let repetition = 1; repetition <= repetitions; repetition += 1) {
      for (const [count, all] of rounds) {
        const round = await measure(await postgres.createDatabase(), count, runs);
        all.push(round);
        progress(
          `${repetition}/${repetitions} ${formatServers(count)}: ${formatNumber(round.busy.runsPerSecond)} runs/s`,
        );
      }
    }
    const samples = new Map([...rounds].map(([count, all]) => [formatServers(count), all.map(({ busy }) => busy)]));
    const title = `servers: ${formatNumber(runs)} runs per repetition, ${IN_FLIGHT} in flight, ${repetitions} repetitions, medians`;
    return {
      tables: [toSampleTable(title, samples), toIdleTable(rounds)],
      notes: [],
      figures: { runs, rounds: Object.fromEntries(rounds) },
    };
  },
};

function toIdleTable(rounds: ReadonlyMap<number, readonly Round[]>): Table {
  const toCell = (all: readonly Round[], pick: (sample: IdleSample) => number | undefined, digits: number): string =>
    formatNumber(median(all.map(({ idle }) => pick(idle) ?? Number.NaN)), digits);
  return {
    title: 'cost of one idle server',
    columns: ['phase', 'connections', 'transactions/s', 'CPU ms/s of Node', 'of its connections'],
    rows: [...rounds].map(([count, all]) => [
      formatServers(count),
      toCell(all, ({ connections }) => connections, 1),
      toCell(all, ({ transactions }) => transactions, 1),
      toCell(all, ({ nodeCpuMs }) => nodeCpuMs, 1),
      toCell(all, ({ postgresCpuMs }) => postgresCpuMs, 1),
    ]),
  };
}

async function measure(connectionString: string, count: number, runs: number): Promise<Round> {
  const program = new URL('../servers/workload-process.js', import.meta.url);
  const processes = Array.from({ length: count }, () => new ServerProcess<WorkloadRequest>(program));
  const client = new pg.Client({ connectionString });
  await client.connect();
  const meter = await Meter.open(connectionString);
  const clocks = { node: () => readTotalCpuTime(processes) };
  const execute = async (totalRuns: number): Promise<void> => {
    const request = { type: 'run', runs: Math.ceil(totalRuns / count), inFlight: IN_FLIGHT / count } as const;
    await Promise.all(processes.map((server) => server.send(request)));
  };
  try {
    // One after the other, because the first migrates the database.
    for (const server of processes) await server.send({ type: 'open', connectionString });
    // Opens the connections, and compiles the code.
    await execute(runs / 2);
    const busy = await meter.measure(runs, () => execute(runs), clocks);
    await delay(STATISTICS_DELAY_MS);
    const before = await readActivity(client);
    const idle = await meter.measure(IDLE_SECONDS, () => delay(IDLE_SECONDS * 1_000), clocks);
    const postgresCpuMs = idle.databases.get(new URL(connectionString).pathname.slice(1))?.cpuMs;
    const after = await readActivity(client);
    return {
      busy,
      idle: {
        connections: after.connections / count,
        transactions: (after.transactions - before.transactions) / IDLE_SECONDS / count,
        nodeCpuMs: idle.nodeCpuMs === undefined ? undefined : idle.nodeCpuMs / count,
        postgresCpuMs: postgresCpuMs === undefined ? undefined : postgresCpuMs / count,
      },
    };
  } finally {
    await client.end();
    await meter.close();
    for (const server of processes) await server.close();
  }
}

/** Reads the connections and transactions of the servers so far. */
async function readActivity(
  client: pg.Client,
): Promise<{ readonly connections: number; readonly transactions: number }> {
  const { rows } = await client.query<{ connections: number; transactions: string }>(
    `SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) - 2 AS connections,
            xact_commit + xact_rollback AS transactions FROM pg_stat_database WHERE datname = current_database()`,
  );
  const [row = { connections: 0, transactions: '0' }] = rows;
  return { connections: row.connections, transactions: Number(row.transactions) };
}

function formatServers(count: number): string {
  return count === 1 ? '1 server' : `${count} servers`;
}
