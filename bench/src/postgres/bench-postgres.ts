import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@countersign/embedded-postgres';
import pg from 'pg';
import { benchLog } from '../workload/bench-log.js';

/** PostgreSQL with the product's settings, in a temporary directory. */
export interface BenchPostgres {
  readonly connectionString: string;
  /**
   * Creates an empty database.
   *
   * @returns its connection string
   */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-'));
  const remove = (): Promise<void> => rm(dataDirectory, { recursive: true, force: true, maxRetries: 3 });
  const embedded = await startEmbeddedPostgres({ dataDirectory, log: benchLog }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    connectionString: embedded.connectionString,
    createDatabase: () => createDatabase(embedded.connectionString),
    stop: async () => {
      await embedded.stop();
      await remove();
    },
  };
}

async function createDatabase(connectionString: string): Promise<string> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  } finally {
    await client.end();
  }
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}
