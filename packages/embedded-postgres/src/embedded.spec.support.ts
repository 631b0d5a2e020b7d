import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { pollUntil } from './poll.js';
import { isAlive } from './process-identity.js';

/** Creates a logger that records its messages. */
export function createRecordingLog() {
  const lines: { level: string; fields: object; message: string }[] = [];
  const recordLevel = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    lines,
    debug: recordLevel('debug'),
    info: recordLevel('info'),
    warn: recordLevel('warn'),
    error: recordLevel('error'),
  };
}

/** Creates temporary directories that `removeAll` removes after a test. */
export function createTemporaryDirectories() {
  const createdDirectories: string[] = [];
  return {
    async make(): Promise<string> {
      const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-embedded-spec-'));
      createdDirectories.push(directory);
      return directory;
    },
    async removeAll(): Promise<void> {
      for (const directory of createdDirectories.splice(0))
        await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Starts a query that sleeps until the database ends it, and waits until it runs.
 *
 * @returns `ended` resolves to the error code with which the database ended the query
 */
export async function startSleepingQuery(connectionString: string): Promise<{ readonly ended: Promise<string> }> {
  const ended = query(connectionString, 'SELECT pg_sleep(600)').then(
    () => 'slept',
    (error: { code: string }) => error.code,
  );
  const sleepingQuery = await pollUntil(20_000, 20, async () => {
    const [found] = await query(
      connectionString,
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(600)'",
    );
    return found;
  });
  if (sleepingQuery === undefined) throw new Error('the sleeping query did not start');
  return { ended };
}

export async function waitForProcessExit(pid: number): Promise<void> {
  const hasExited = await pollUntil(20_000, 20, async () => ((await isAlive(pid)) ? undefined : true));
  if (hasExited === undefined) throw new Error(`process ${pid} is still running`);
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly connectionString: string;
  readonly postmasterPid: number;
}

const SERVER_SCRIPT = `
  const { startEmbeddedPostgres } = await import(process.argv[1]);
  let postmasterPid;
  const note = (fields, message) => { if (message === 'PostgreSQL runs') postmasterPid = fields.pid; };
  const log = { debug: note, info: note, warn: note, error: note };
  try {
    const postgres = await startEmbeddedPostgres({ dataDirectory: process.argv[2], log });
    const drained = new Promise((resolve) => process.stdin.once('data', resolve));
    process.once('SIGINT', () => drained.then(() => postgres.stop()).then(() => process.exit(0)));
    console.log(JSON.stringify({ connectionString: postgres.connectionString, postmasterPid }));
  } catch (error) {
    console.log(JSON.stringify({ code: error.code, message: error.message }));
  }
`;

/**
 * Starts a process that runs its own database, like a Countersign server. After SIGINT, it stops when it reads a line
 * of input.
 */
export function spawnServer(dataDirectory: string, ids: { uid?: number; gid?: number } = {}): ChildProcess {
  const url = new URL('./start-embedded-postgres.js', import.meta.url).href;
  return spawn(process.execPath, ['--input-type=module', '-e', SERVER_SCRIPT, url, dataDirectory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    ...ids,
  });
}

export async function readFirstLine(child: ChildProcess): Promise<Record<string, unknown>> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Record<string, unknown>;
  throw new Error('the process ended without output');
}

export async function startServerProcess(
  dataDirectory: string,
  ids: { uid?: number; gid?: number } = {},
): Promise<ServerProcess> {
  const child = spawnServer(dataDirectory, ids);
  const { connectionString, postmasterPid, message } = await readFirstLine(child);
  if (child.pid === undefined || typeof connectionString !== 'string' || typeof postmasterPid !== 'number')
    throw new Error(`the server process did not start: ${String(message)}`);
  return { child, pid: child.pid, connectionString, postmasterPid };
}

export async function killProcess(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
