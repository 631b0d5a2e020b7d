import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.js';

/** Holds the connection string of a PostgreSQL whose role may create databases. Set it to use a server of your own. */
export const TEST_POSTGRES_VARIABLE = 'COUNTERSIGN_TEST_POSTGRES';

export interface TestPostgres {
  readonly connectionString: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly connectionString: string;
  /** Ends whatever connections are left, too. */
  drop(): Promise<void>;
}

const DIRECTORY_PREFIX = 'countersign-test-postgres-';
/** A directory that is older belongs to a run that was killed. */
const ABANDONED_AFTER_MS = 6 * 60 * 60 * 1000;

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let shared: Promise<string> | undefined;

/** Starts a PostgreSQL of its own, real and durable, in a temporary directory that goes with it. */
export async function startTestPostgres(): Promise<TestPostgres> {
  await removeAbandonedDirectories();
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), DIRECTORY_PREFIX));
  let postgres: EmbeddedPostgres;
  try {
    postgres = await startEmbeddedPostgres({ dataDirectory, log: silent });
  } catch (error) {
    await rm(dataDirectory, { recursive: true, force: true });
    throw error;
  }
  return {
    connectionString: postgres.connectionString,
    async stop() {
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/**
 * Makes an empty database on the PostgreSQL of this test run: the one that the global set-up started, or the one named by
 * `COUNTERSIGN_TEST_POSTGRES`. Without either (a single spec run by hand) the process starts its own, once.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env[TEST_POSTGRES_VARIABLE] ?? (await (shared ??= startForThisProcess()));
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Nobody is ever connected to template0, so several processes can copy it at once.
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  return {
    connectionString: withDatabase(server, name),
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function startForThisProcess(): Promise<string> {
  const postgres = await startTestPostgres();
  // Nothing of the server keeps the process running, so this comes when the tests are through. A process that exits
  // without it takes the server along too (the watchdog), only the directory stays until a later run removes it.
  process.once('beforeExit', () => void postgres.stop());
  return postgres.connectionString;
}

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined); // the server may stop first
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

async function removeAbandonedDirectories(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(DIRECTORY_PREFIX)) continue;
    const directory = join(tmpdir(), name);
    try {
      // A running server touches its lock file all the time; the directory's own time is that of its start.
      const times = await Promise.all((await readdir(directory)).map(async (entry) => (await stat(join(directory, entry))).mtimeMs));
      if (Math.max(0, ...times) < Date.now() - ABANDONED_AFTER_MS) await rm(directory, { recursive: true, force: true });
    } catch {
      // somebody else's, or somebody else removes it
    }
  }
}
