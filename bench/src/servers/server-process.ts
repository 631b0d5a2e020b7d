import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readProcessCpuTime } from '../measure/process-times.js';
import { sumIfKnown } from '../measure/statistics.js';
import type { CloseRequest, ServerResponse } from './requests.js';

/** Server process that executes requests one after the other. */
export class ServerProcess<Request extends { readonly type: string }> {
  private readonly child: ChildProcess;

  /** @param program module that calls `serveRequests` */
  constructor(program: URL) {
    this.child = fork(fileURLToPath(program));
  }

  async send(request: Request | CloseRequest): Promise<void> {
    const response = Promise.race([
      once(this.child, 'message'),
      once(this.child, 'exit').then(() => [{ error: 'The process has exited.' }]),
    ]);
    this.child.send(request);
    const [{ error }] = (await response) as [ServerResponse];
    if (error !== undefined) throw new Error(error);
  }

  /** Returns the CPU time of the process so far, in ms; `undefined` if unreadable. */
  readCpuTime(): number | undefined {
    return this.child.pid === undefined ? undefined : readProcessCpuTime(this.child.pid);
  }

  async close(): Promise<void> {
    await this.send({ type: 'close' });
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

/**
 * Starts server processes for some work, and ends them.
 *
 * @param program module that calls `serveRequests`
 */
export async function withServers<Request extends { readonly type: string }, T>(
  count: number,
  program: URL,
  work: (servers: readonly ServerProcess<Request>[]) => Promise<T>,
): Promise<T> {
  const servers = Array.from({ length: count }, () => new ServerProcess<Request>(program));
  try {
    const result = await work(servers);
    for (const server of servers) await server.close();
    return result;
  } catch (error) {
    // They may still execute requests.
    for (const server of servers) server.kill();
    throw error;
  }
}

/** Returns the CPU time of all servers so far, in ms; `undefined` if unreadable. */
export function readTotalCpuTime(servers: readonly Pick<ServerProcess<never>, 'readCpuTime'>[]): number | undefined {
  return sumIfKnown(servers.map((server) => server.readCpuTime()));
}
