import { cpus } from 'node:os';
import pg from 'pg';
import { readParentPid, readProcessCpuTime, readProcessTreeCpuTime } from './process-times.js';
import { sumIfKnown } from './statistics.js';

/** Throughput and cost of one phase; CPU times and bytes are per run. */
export interface Sample {
  readonly runsPerSecond: number;
  /** CPU of the process with the engine (for the ceiling, of the one that drives the database). */
  readonly nodeCpuMs: number | undefined;
  /** CPU of all processes of PostgreSQL. */
  readonly postgresCpuMs: number | undefined;
  /** CPU of a load driver in a separate process. */
  readonly driverCpuMs?: number | undefined;
  /** CPU of the Temporal server, if there is one. */
  readonly clusterCpuMs?: number | undefined;
  readonly walBytes: number;
  /** Transaction ids that were used, in all databases: by transactions that wrote or locked something. */
  readonly writingTransactions: number;
  /** Cost of each database, by its name. */
  readonly databases: Databases;
  /** Number of cores kept busy by everything else on the machine: 0 if nothing else runs. */
  readonly otherProcessesCores: number | undefined;
}

export interface DatabaseCost {
  /**
   * CPU of the processes that serve the connections of clients; `undefined` if unreadable. Connections that close are
   * not counted.
   */
  readonly cpuMs: number | undefined;
  /** Growth of its files. */
  readonly bytes: number;
}

type Databases = Readonly<Record<string, DatabaseCost>>;

/** CPU time of a process so far, in ms. */
export type CpuClock = () => number | undefined;

export interface CpuClocks {
  /** Clock of the process with the engine. */
  readonly node: CpuClock;
  /** Clock of the process that drives the load, if separate. */
  readonly driver?: CpuClock;
  /** Clock of the Temporal server. */
  readonly cluster?: CpuClock;
}

export const readOwnCpuTime: CpuClock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Measures phases of work on one PostgreSQL server. Its own connection is idle during a phase. */
export class Meter {
  private constructor(
    private readonly client: pg.Client,
    private readonly postmasterPid: number | undefined,
  ) {}

  static async open(connectionString: string): Promise<Meter> {
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new Meter(client, readParentPid(rows[0]?.pid ?? 0));
  }

  async measure(
    runs: number,
    work: () => Promise<void>,
    { node, driver, cluster }: CpuClocks = { node: readOwnCpuTime },
  ): Promise<Sample> {
    const databasesBefore = await this.readDatabases();
    const positionsBefore = await this.readPositions();
    const nodeBefore = node();
    const driverBefore = driver?.();
    const clusterBefore = cluster?.();
    const postgresBefore = this.readPostgresCpuTime();
    const machineBefore = readMachineCpuTime();
    const startedAt = performance.now();
    await work();
    const seconds = (performance.now() - startedAt) / 1000;
    const machineCpuMs = (readMachineCpuTime() - machineBefore) / runs;
    const driverCpuMs = perRun(driverBefore, driver?.(), runs);
    const clusterCpuMs = perRun(clusterBefore, cluster?.(), runs);
    const nodeCpuMs = perRun(nodeBefore, node(), runs);
    const postgresCpuMs = perRun(postgresBefore, this.readPostgresCpuTime(), runs);
    const positions = await this.readPositions();
    const databases = await this.readDatabases();
    return {
      runsPerSecond: runs / seconds,
      nodeCpuMs,
      postgresCpuMs,
      ...(driver === undefined ? {} : { driverCpuMs }),
      ...(cluster === undefined ? {} : { clusterCpuMs }),
      walBytes: (positions.wal - positionsBefore.wal) / runs,
      writingTransactions: (positions.transaction - positionsBefore.transaction) / runs,
      databases: subtractDatabases(databases, databasesBefore, runs),
      otherProcessesCores: computeOtherProcessesCores(
        machineCpuMs,
        [nodeCpuMs, postgresCpuMs, driver === undefined ? 0 : driverCpuMs, cluster === undefined ? 0 : clusterCpuMs],
        (seconds * 1000) / runs,
      ),
    };
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private readPostgresCpuTime(): number | undefined {
    return this.postmasterPid === undefined ? undefined : readProcessTreeCpuTime(this.postmasterPid);
  }

  private async readPositions(): Promise<{ readonly wal: number; readonly transaction: number }> {
    const { rows } = await this.client.query<{ wal: string; transaction: string }>(
      `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal, pg_snapshot_xmax(pg_current_snapshot()) AS transaction`,
    );
    return { wal: Number(rows[0]?.wal), transaction: Number(rows[0]?.transaction) };
  }

  /** Returns the costs of all databases so far. */
  private async readDatabases(): Promise<Databases> {
    const { rows } = await this.client.query<{ name: string; bytes: string; pids: number[] }>(
      `SELECT datname AS name, pg_database_size(datname) AS bytes,
              ARRAY(SELECT pid FROM pg_stat_activity a WHERE a.datname = d.datname AND backend_type = 'client backend' AND pid <> pg_backend_pid()) AS pids
       FROM pg_database d WHERE datallowconn`,
    );
    return Object.fromEntries(
      rows.map(({ name, bytes, pids }) => [
        name,
        { cpuMs: sumIfKnown(pids.map(readProcessCpuTime)), bytes: Number(bytes) },
      ]),
    );
  }
}

/** Returns what was spent since then, per run. */
function subtractDatabases(after: Databases, before: Databases, runs: number): Databases {
  return Object.fromEntries(
    Object.entries(after).map(([name, { cpuMs, bytes }]) => {
      const start = before[name] ?? { cpuMs: 0, bytes: 0 };
      return [name, { cpuMs: perRun(start.cpuMs, cpuMs, runs), bytes: (bytes - start.bytes) / runs }];
    }),
  );
}

function perRun(before: number | undefined, after: number | undefined, runs: number): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) / runs;
}

/** Returns the CPU time of everything on this machine, in ms. */
function readMachineCpuTime(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

function computeOtherProcessesCores(
  machineCpuMs: number,
  ownCpuMs: readonly (number | undefined)[],
  elapsedMs: number,
): number | undefined {
  const sum = sumIfKnown(ownCpuMs);
  return sum === undefined ? undefined : Math.max(0, (machineCpuMs - sum) / elapsedMs);
}
