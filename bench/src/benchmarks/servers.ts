import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Benchmark } from '../benchmark.js';
import { Meter, type Sample } from '../measure/meter.js';
import { median } from '../measure/statistics.js';
import { toSampleTable } from '../measure/sample-table.js';
import { formatNumber, type Table } from '../measure/table.js';
import type { BenchPostgres } from '../postgres/bench-postgres.js';
import { readTotalCpuTime, withServers } from '../servers/server-process.js';
import type { WorkloadRequest } from '../servers/workload-requests.js';
import { IN_FLIGHT } from '../workload/limits.js';

const RUNS = 3_200;
/** Runs of each server before the measurement. */
const WARM_UP_RUNS = 400;
/** Numbers of servers; each divides the number of runs in flight. More would need more than 100 connections. */
const SERVER_COUNTS = [1, 2, 4, 8] as const;
/** Idle connections of PostgreSQL report their statistics after 10 s. */
const STATISTICS_DELAY_MS = 11_000;
/** How long the servers are observed while they are idle, in s. */
const IDLE_SECONDS = 30;

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
        const round = await measure(postgres, count, runs);
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
    columns: ['phase', 'connections', 'transactions/s', 'CPU ms/s of Node', 'of its connections to PostgreSQL'],
    rows: [...rounds].map(([count, all]) => [
      formatServers(count),
      toCell(all, ({ connections }) => connections, 1),
      toCell(all, ({ transactions }) => transactions, 1),
      toCell(all, ({ nodeCpuMs }) => nodeCpuMs, 1),
      toCell(all, ({ postgresCpuMs }) => postgresCpuMs, 1),
    ]),
  };
}

function measure(postgres: BenchPostgres, count: number, runs: number): Promise<Round> {
  const program = new URL('../servers/workload-process.js', import.meta.url);
  return withServers<WorkloadRequest, Round>(count, program, async (processes) => {
    const connectionString = await postgres.createDatabase();
    const database = new URL(connectionString).pathname.slice(1);
    // These connections are to another database, so that they are not counted.
    const client = new pg.Client({ connectionString: postgres.connectionString });
    await client.connect();
    const meter = await Meter.open(postgres.connectionString);
    const clocks = { node: () => readTotalCpuTime(processes) };
    const runsPerServer = Math.ceil(runs / count);
    const execute = async (runsOfEach: number): Promise<void> => {
      const request = { type: 'run', runs: runsOfEach, inFlight: IN_FLIGHT / count } as const;
      await Promise.all(processes.map((server) => server.send(request)));
    };
    try {
      // One after the other, because the first migrates the database.
      for (const server of processes) await server.send({ type: 'open', connectionString });
      // Opens the connections, and compiles the code.
      await execute(WARM_UP_RUNS);
      const busy = await meter.measure(runsPerServer * count, () => execute(runsPerServer), clocks);
      await delay(STATISTICS_DELAY_MS);
      const before = await readActivity(client, database);
      const idle = await meter.measure(IDLE_SECONDS, () => delay(IDLE_SECONDS * 1_000), clocks);
      const after = await readActivity(client, database);
      const postgresCpuMs = idle.databases[database]?.cpuMs;
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
    }
  });
}

/** Reads the connections and transactions of the servers so far. */
async function readActivity(
  client: pg.Client,
  database: string,
): Promise<{ readonly connections: number; readonly transactions: number }> {
  const { rows } = await client.query<{ connections: number; transactions: string }>(
    `SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend') AS connections,
            xact_commit + xact_rollback AS transactions FROM pg_stat_database WHERE datname = $1`,
    [database],
  );
  const [row = { connections: 0, transactions: '0' }] = rows;
  return { connections: row.connections, transactions: Number(row.transactions) };
}

function formatServers(count: number): string {
  return count === 1 ? '1 server' : `${count} servers`;
}
