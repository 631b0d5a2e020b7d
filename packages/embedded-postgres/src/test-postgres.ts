import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.js';
import { makeTestDirectory } from './test-directory.js';

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

/** What a new database shall already hold, made once for each server. */
export interface TestDatabaseTemplate {
  /** Lower-case letters, digits and underscores; another content needs another name (add a digest of the migrations). */
  readonly name: string;
  /** Fills an empty database, and closes its connections before it returns. */
  prepare(connectionString: string): Promise<void>;
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let shared: Promise<string> | undefined;
/** Of this process, by server and name: nobody drops a template. */
const templates = new Map<string, Promise<string>>();

/** Starts a PostgreSQL of its own, the real one with its real settings, in a temporary directory that goes with it. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dataDirectory = await makeTestDirectory();
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
 * Makes a database, empty or as the template says, on the PostgreSQL of this test run: the one that the global set-up started, or the one named by
 * `COUNTERSIGN_TEST_POSTGRES`. Without either (a single spec run by hand) the process starts its own, once.
 */
export async function createTestDatabase(template?: TestDatabaseTemplate): Promise<TestDatabase> {
  const server = process.env[TEST_POSTGRES_VARIABLE] ?? (await (shared ??= startForThisProcess()));
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Nobody is ever connected to a template, so several processes can copy it at once.
  const source = template === undefined ? 'template0' : await knownTemplate(server, template);
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`));
  return {
    connectionString: withDatabase(server, name),
    drop: () => onServer(server, (client) => dropDatabase(client, name)),
  };
}

async function startForThisProcess(): Promise<string> {
  const postgres = await startTestPostgres();
  // Nothing of the server keeps the process running, so this comes when the tests are through. A process that exits
  // without it takes the server along too (the watchdog), only the directory stays until a later run removes it.
  process.once('beforeExit', () => void postgres.stop());
  return postgres.connectionString;
}

function knownTemplate(server: string, template: TestDatabaseTemplate): Promise<string> {
  const key = JSON.stringify([server, template.name]);
  let known = templates.get(key);
  if (known === undefined) {
    known = ensureTemplate(server, template);
    templates.set(key, known);
    // A failure is not kept: another attempt may do better.
    known.catch(() => templates.delete(key));
  }
  return known;
}

/** The first process to ask makes it, under a name of its own; it gets the template's name when it is complete. */
async function ensureTemplate(server: string, { name, prepare }: TestDatabaseTemplate): Promise<string> {
  if (!/^[a-z0-9_]{1,40}$/.test(name)) throw new TypeError(`"${name}" is not a valid name for a template database`);
  const finished = `template_${name}`;
  await onServer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [finished]); // until the connection ends
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [finished]);
    if (rowCount !== 0) return;
    const unfinished = `unfinished_${randomBytes(8).toString('hex')}`;
    await client.query(`CREATE DATABASE ${unfinished} TEMPLATE template0`);
    try {
      await prepare(withDatabase(server, unfinished));
      await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${finished}`);
    } catch (error) {
      await dropDatabase(client, unfinished);
      throw error;
    }
  });
  return finished;
}

/** Not `WITH (FORCE)`: that fails while an autovacuum worker, which is the superuser's, is at work in the database. */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
    [name],
  );
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
}

async function onServer(connectionString: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined); // the server may stop first
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}
