import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadResponse, LoadRequest } from './messages.js';

/** Handle of the load driver process. */
export class LoadDriver {
  private readonly child: ChildProcess = fork(fileURLToPath(new URL('./load-driver-process.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  });

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @throws {Error} if the load driver failed */
  async load(request: LoadRequest): Promise<Exclude<LoadResponse, { error: string }>> {
    this.child.send(request);
    const listenerAbort = new AbortController();
    const exited = once(this.child, 'exit', { signal: listenerAbort.signal }).then((): LoadResponse => ({
      error: 'The load driver has exited.',
    }));
    const responded = once(this.child, 'message', { signal: listenerAbort.signal }).then(
      ([response]) => response as LoadResponse,
    );
    const loadResponse = await Promise.race([responded, exited]);
    listenerAbort.abort();
    await Promise.allSettled([responded, exited]);
    if ('error' in loadResponse) throw new Error(loadResponse.error);
    return loadResponse;
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }
}
