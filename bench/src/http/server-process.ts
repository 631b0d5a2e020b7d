import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mintDevToken } from '@countersign/server';
import { APPROVAL_WORKFLOW } from '../workload/approval-workflow.js';

const COMMAND = fileURLToPath(new URL('../bin/countersign.js', import.meta.resolve('@countersign/server')));
const JOBS_PLUGIN = fileURLToPath(new URL('../workload/jobs-plugin.js', import.meta.url));
const START_TIMEOUT_MS = 60_000;

/** A real `countersign start` process, with authentication and a log file. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Returns a token of a user with that name and role. */
  mintToken(subject: string, role: 'operator' | 'approver' | 'admin'): Promise<string>;
  close(): Promise<void>;
}

/** @param requestsPerMinute limit of each principal; by default so high that one driver can act for many clients */
export async function startServerProcess(
  connectionString: string,
  requestsPerMinute = 10_000_000,
): Promise<ServerProcess> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-server-'));
  const dataDirectory = join(directory, 'data');
  const configuration = await writeConfiguration(directory, dataDirectory, connectionString, requestsPerMinute);
  const logFile = join(directory, 'server.log');
  const log = await open(logFile, 'w');
  // The options of this process apply to the server too: `node --cpu-prof --cpu-prof-dir=… bench/dist/main.js http`.
  const child = spawn(process.execPath, [...process.execArgv, COMMAND, 'start', '--config', configuration], {
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
    const mintToken = async (subject: string, role: 'operator' | 'approver' | 'admin'): Promise<string> =>
      (await mintDevToken({ dataDirectory, subject, role })).token;
    return { url, pid: child.pid ?? 0, mintToken, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeConfiguration(
  directory: string,
  dataDirectory: string,
  connectionString: string,
  requestsPerMinute: number,
): Promise<string> {
  const workflows = join(directory, 'workflows');
  await mkdir(workflows);
  await writeFile(join(workflows, 'approval.bpmn'), APPROVAL_WORKFLOW);
  const path = join(directory, 'countersign.json');
  const content = {
    Server: { Host: '127.0.0.1', Port: 0, DrainDelay: 'PT0S' },
    Data: { Directory: dataDirectory },
    Storage: { Postgres: { ConnectionString: connectionString } },
    Workflows: { Directory: workflows },
    Plugins: [JOBS_PLUGIN],
    Auth: { DevToken: { Enabled: true } },
    Limits: { RequestsPerMinute: requestsPerMinute },
    Log: { Format: 'json' },
  };
  await writeFile(path, JSON.stringify(content), { mode: 0o600 });
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
