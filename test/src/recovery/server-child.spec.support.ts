import type { JsonObject } from '@countersign/core';
import { seconds } from '@countersign/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Failpoint } from './failpoints.js';
import type { EngineChoices } from './impatient-engine.js';

/** What a server process runs. */
export const SERVER_PROCESS: string = fileURLToPath(new URL('./server-process.js', import.meta.url));

/** What a server process is started with. */
export interface ProcessConfiguration {
  readonly configuration: JsonObject;
  /** The database of the side table; `null`: no job handlers. */
  readonly effects: string | null;
  readonly options: EngineChoices;
}

/** What a server process does to itself at a failpoint: it dies, or it is held up until somebody sends SIGCONT. */
export type Blow = 'SIGKILL' | 'SIGSTOP';

/** What a server process does for a test. */
export type Request =
  | { readonly type: 'arm'; readonly failpoint: Failpoint | null; readonly visit: number; readonly signal?: Blow }
  /** Lets nothing past a failpoint until another one is named, or none. Answered once something stands there. */
  | { readonly type: 'hold'; readonly failpoint: Failpoint | null }
  | { readonly type: 'visits' }
  | { readonly type: 'activeJobs' }
  | { readonly type: 'correlate'; readonly messageName: string; readonly correlationKey: string }
  | {
      readonly type: 'deliver';
      readonly messageName: string;
      readonly correlationKey: string;
      readonly idempotencyKey: string;
      readonly payload: JsonObject;
      readonly bufferForMs?: number;
    }
  | { readonly type: 'broadcast'; readonly signalName: string }
  | { readonly type: 'stop' };

/** A lease that a restart outlasts, that a busy machine can renew in time, and polls that cost a test nothing. */
export const IMPATIENT: ProcessConfiguration['options'] = Object.freeze({
  leaseMs: seconds(0.9),
  pollMs: 40,
  settings: { retryBackoffMs: 10 },
});

/** The server is gone; what it was asked has no answer. */
export class ServerGone extends Error {}

/** One life of a server process. */
export class ServerChild {
  private readonly waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  private readonly child: ChildProcess;
  private requests = 0;
  private said = '';
  private stopped: Promise<void> | undefined;
  private gone = false;
  /** The port that it listens on. */
  readonly ready: Promise<number>;
  /** The signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;

  constructor(configuration: ProcessConfiguration, env: NodeJS.ProcessEnv = {}, main = SERVER_PROCESS) {
    this.child = fork(main, [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
      env: { ...process.env, ...env },
    });
    // It holds the password of the database, which has no place in the list of processes.
    this.child.send(configuration);
    const listen = (chunk: Buffer): void => void (this.said += chunk.toString());
    this.child.stdout?.on('data', listen);
    this.child.stderr?.on('data', listen);
    this.ended = once(this.child, 'close').then(([, signal]) => {
      this.gone = true;
      for (const { reject } of this.waiting.values()) reject(new ServerGone(`The server is gone:\n${this.said}`));
      return signal as NodeJS.Signals | null;
    });
    this.ready = new Promise((resolve, reject) => {
      this.child.on('message', (message: { ready?: number; id?: number; result?: unknown; error?: string }) => {
        if (message.ready !== undefined) resolve(message.ready);
        else this.answer(message);
      });
      void this.ended.then(() => reject(new Error(`The server did not start:\n${this.said}`)));
    });
    this.ready.catch(() => undefined);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get output(): string {
    return this.said;
  }

  async request<T>(request: Request): Promise<T> {
    const id = (this.requests += 1);
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: (result) => resolve(result as T), reject });
      this.child.send({ id, request }, (error) => {
        if (error !== null) reject(new ServerGone(error.message));
      });
    }).finally(() => this.waiting.delete(id));
  }

  /** Stops in good order, once, if it has not been killed. */
  stop(): Promise<void> {
    if (this.gone) return Promise.resolve();
    this.proceed();
    return (this.stopped ??= this.request({ type: 'stop' }).then(async () => void (await this.ended)));
  }

  /** Lets a process that has stopped itself go on. */
  proceed(): void {
    this.child.kill('SIGCONT');
  }

  private answer({ id = 0, result, error }: { id?: number; result?: unknown; error?: string }): void {
    const waiting = this.waiting.get(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  }
}
