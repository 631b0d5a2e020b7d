import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadAnswer, LoadOrder } from './messages.js';

/** Handle of the load driver process. */
export class LoadDriver {
  private readonly child: ChildProcess = fork(fileURLToPath(new URL('./load-process.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  });

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @throws {Error} the load driver failed */
  async load(order: LoadOrder): Promise<Exclude<LoadAnswer, { error: string }>> {
    this.child.send(order);
    const gone = new AbortController();
    const exited = once(this.child, 'exit', { signal: gone.signal }).then((): LoadAnswer => ({
      error: 'The load driver has exited.',
    }));
    const answered = once(this.child, 'message', { signal: gone.signal }).then(([answer]) => answer as LoadAnswer);
    const answer = await Promise.race([answered, exited]);
    gone.abort();
    await Promise.allSettled([answered, exited]);
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }
}
