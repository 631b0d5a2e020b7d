import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.js';
import { makeTestDirectory } from './test-directory.js';

/**
 * Environment variable with the connection string of an existing PostgreSQL server for the tests. Its role must be
 * allowed to create databases.
 */
export const TEST_POSTGRES_VARIABLE = 'COUNTERSIGN_TEST_POSTGRES';

export interface TestPostgres {
  readonly connectionString: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly connectionString: string;
  /** Drops the database and closes any remaining connections. */
  drop(): Promise<void>;
}

/** Initial content of a new database, created once for each server. */
export interface TestDatabaseTemplate {
  /**
   * Lower-case letters, digits and underscores. Different content needs a different name (add a digest of the
   * migrations).
   */
  readonly name: string;
  /** Fills an empty database, and closes its connections before it returns. */
  prepare(connectionString: string): Promise<void>;
}

const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let sharedServer: Promise<string> | undefined;
/** Template databases that this process has used, by server and name. They are never dropped. */
const templates = new Map<string, Promise<string>>();

/**
 * Starts a separate PostgreSQL with the production settings, in a temporary directory that is removed when the server
 * stops.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dataDirectory = await makeTestDirectory();
  let postgres: EmbeddedPostgres;
  try {
    postgres = await startEmbeddedPostgres({ dataDirectory, log: silentLog });
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
 * Creates a database, empty or from the template, on the PostgreSQL of this test run: the server in
 * `COUNTERSIGN_TEST_POSTGRES`, which may be started by the global set-up. If the variable is not set (a single spec
 * that is started by hand), this process starts its own server once.
 */
export async function createTestDatabase(template?: TestDatabaseTemplate): Promise<TestDatabase> {
  const server = process.env[TEST_POSTGRES_VARIABLE] ?? (await (sharedServer ??= startServerForThisProcess()));
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Nothing ever connects to a template, so several processes can copy it concurrently.
  const source = template === undefined ? 'template0' : await getTemplate(server, template);
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`));
  return {
    connectionString: replaceDatabase(server, name),
    drop: () => withClient(server, (client) => dropDatabase(client, name)),
  };
}

async function startServerForThisProcess(): Promise<string> {
  const postgres = await startTestPostgres();
  // The server does not keep this process running, so the event occurs when the tests are done. If the process exits
  // without the event, the watchdog stops the server, and a later test run removes the directory.
  process.once('beforeExit', () => void postgres.stop());
  return postgres.connectionString;
}

function getTemplate(server: string, template: TestDatabaseTemplate): Promise<string> {
  const key = JSON.stringify([server, template.name]);
  let pendingTemplate = templates.get(key);
  if (pendingTemplate === undefined) {
    pendingTemplate = ensureTemplate(server, template);
    templates.set(key, pendingTemplate);
    // A failure is not cached: another attempt may succeed.
    pendingTemplate.catch(() => templates.delete(key));
  }
  return pendingTemplate;
}

/**
 * Returns the name of the template database. The first process creates it under a temporary name and renames it when it
 * is complete.
 */
async function ensureTemplate(server: string, { name, prepare }: TestDatabaseTemplate): Promise<string> {
  if (!/^[a-z0-9_]{1,40}$/.test(name))
    throw new TypeError(
      `"${name}" is not a valid name for a template database; use up to 40 lower-case letters, digits and underscores`,
    );
  const templateName = `template_${name}`;
  await withClient(server, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [templateName]); // until the connection ends
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [templateName]);
    if (rowCount !== 0) return;
    const draftName = `unfinished_${randomBytes(8).toString('hex')}`;
    await client.query(`CREATE DATABASE ${draftName} TEMPLATE template0`);
    try {
      await prepare(replaceDatabase(server, draftName));
      await client.query(`ALTER DATABASE ${draftName} RENAME TO ${templateName}`);
    } catch (error) {
      await dropDatabase(client, draftName);
      throw error;
    }
  });
  return templateName;
}

/**
 * Drops a database. Not `WITH (FORCE)`: that fails while an autovacuum worker, which belongs to the superuser, is
 * active in the database.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
    [name],
  );
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
}

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined); // the server may stop first
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function replaceDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}
