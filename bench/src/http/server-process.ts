import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mintDevToken } from '@countersign/server';
import { APPROVAL_WORKFLOW } from '../workload/approval-workflow.js';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const JOBS_PLUGIN = fileURLToPath(new URL('../workload/jobs-plugin.js', import.meta.url));
const START_TIMEOUT_MS = 60_000;

/** A real `countersign start` process, with authentication and a log file. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Returns a token of a user with that name, role and groups. */
  mintToken(subject: string, role: 'operator' | 'approver' | 'admin', groups?: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

interface ServerOptions {
  /** Limit of each principal; by default so high that one driver can act for many clients. */
  readonly requestsPerMinute?: number;
  /** Directory of the checkout whose server is started; by default this one. */
  readonly checkout?: string;
  /** Sections of the configuration that are added, or replace the ones of the benchmarks. */
  readonly configuration?: Readonly<Record<string, unknown>>;
}

export async function startServerProcess(
  connectionString: string,
  { requestsPerMinute = 10_000_000, checkout = REPOSITORY, configuration = {} }: ServerOptions = {},
): Promise<ServerProcess> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-server-'));
  const dataDirectory = join(directory, 'data');
  const configurationFile = await writeConfiguration(directory, {
    Server: { Host: '127.0.0.1', Port: 0, DrainDelay: 'PT0S' },
    Data: { Directory: dataDirectory },
    Storage: { Postgres: { ConnectionString: connectionString } },
    Plugins: [JOBS_PLUGIN],
    Auth: { DevToken: { Enabled: true } },
    Limits: { RequestsPerMinute: requestsPerMinute },
    Log: { Format: 'json' },
    ...configuration,
  });
  const logFile = join(directory, 'server.log');
  const log = await open(logFile, 'w');
  // The options of this process apply to the server too: `node --cpu-prof --cpu-prof-dir=… bench/dist/main.js http`.
  const command = join(checkout, 'packages/server/bin/countersign.js');
  const child = spawn(process.execPath, [...process.execArgv, command, 'start', '--config', configurationFile], {
    stdio: ['ignore', log.fd, log.fd],
    cwd: directory,
  });
  await log.close();
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const url = await waitForUrl(child, dataDirectory, logFile);
    const mintToken: ServerProcess['mintToken'] = async (subject, role, groups = []) =>
      (await mintDevToken({ dataDirectory, subject, role, groups })).token;
    return { url, pid: child.pid ?? 0, mintToken, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeConfiguration(directory: string, content: Readonly<Record<string, unknown>>): Promise<string> {
  const workflows = join(directory, 'workflows');
  await mkdir(workflows);
  await writeFile(join(workflows, 'approval.bpmn'), APPROVAL_WORKFLOW);
  const path = join(directory, 'countersign.json');
  await writeFile(path, JSON.stringify({ Workflows: { Directory: workflows }, ...content }), { mode: 0o600 });
  return path;
}

/** Reads the URL from the file that the server writes to its data directory once it listens. */
async function waitForUrl(child: ChildProcess, dataDirectory: string, logFile: string): Promise<string> {
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline;) {
    if (child.exitCode !== null) break;
    const serverFile = await readFile(join(dataDirectory, 'server.json'), 'utf8').catch(() => undefined);
    if (serverFile !== undefined) return (JSON.parse(serverFile) as { url: string }).url;
    await delay(50);
  }
  throw new Error(`The server did not start listening. Its log:\n${await readFile(logFile, 'utf8')}`);
}
