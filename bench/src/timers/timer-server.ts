import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readProcessCpuTime } from '../measure/process-times.js';
import type { TimerResponse, TimerRequest } from './messages.js';

const PROCESS = fileURLToPath(new URL('./timer-process.js', import.meta.url));

/** Server process that executes requests one after the other. */
export class TimerServer {
  private readonly child: ChildProcess = fork(PROCESS);

  async send(request: TimerRequest): Promise<void> {
    const response = Promise.race([
      once(this.child, 'message'),
      once(this.child, 'exit').then(() => [{ error: 'The process has exited.' }]),
    ]);
    this.child.send(request);
    const [{ error }] = (await response) as [TimerResponse];
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
}
