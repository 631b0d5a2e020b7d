import type { JsonObject } from '@countersign/core';
import { seconds } from '@countersign/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Failpoint } from './failpoints.js';
import type { EngineOverrides } from './impatient-engine.js';

/** Module that a server process runs. */
export const SERVER_PROCESS: string = fileURLToPath(new URL('./server-process.js', import.meta.url));

/** Configuration of a server process. */
export interface ProcessConfiguration {
  readonly configuration: JsonObject;
  /** Database of the side table; `null`: no job handlers. */
  readonly effects: string | null;
  readonly options: EngineOverrides;
}

/** Signal that a server process sends itself at a failpoint: it dies, or it stops until it receives SIGCONT. */
export type FailpointSignal = 'SIGKILL' | 'SIGSTOP';

/** Requests from a test to a server process. */
export type ControlRequest =
  | {
      readonly type: 'arm';
      readonly failpoint: Failpoint | null;
      readonly visit: number;
      readonly signal?: FailpointSignal;
    }
  /**
   * Blocks at a failpoint until another failpoint or `null` is requested. The response is sent once the failpoint is
   * reached.
   */
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

/** A lease that expires during a restart but can be renewed on a busy machine, and short polling intervals. */
export const IMPATIENT_OPTIONS: ProcessConfiguration['options'] = Object.freeze({
  leaseMs: seconds(0.9),
  pollMs: 40,
  settings: { retryBackoffMs: 10 },
});

/** Thrown when the server exits before it has responded to a request. */
export class ServerExitedError extends Error {}

/** A server process from its start to its end. */
export class ServerChild {
  private readonly pendingRequests = new Map<
    number,
    { resolve: (result: unknown) => void; reject: (error: Error) => void }
  >();
  private readonly child: ChildProcess;
  private requestCount = 0;
  private outputText = '';
  private stopPromise: Promise<void> | undefined;
  private hasExited = false;
  /** Port that the server listens on. */
  readonly ready: Promise<number>;
  /** Signal that ended the process. */
  readonly ended: Promise<NodeJS.Signals | null>;

  constructor(configuration: ProcessConfiguration, env: NodeJS.ProcessEnv = {}, main = SERVER_PROCESS) {
    this.child = fork(main, [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
      env: { ...process.env, ...env },
    });
    // Not an argument, because it contains the database password and process lists show arguments.
    this.child.send(configuration);
    const collectOutput = (chunk: Buffer): void => void (this.outputText += chunk.toString());
    this.child.stdout?.on('data', collectOutput);
    this.child.stderr?.on('data', collectOutput);
    this.ended = once(this.child, 'close').then(([, signal]) => {
      this.hasExited = true;
      for (const { reject } of this.pendingRequests.values())
        reject(new ServerExitedError(`The server exited before it responded:\n${this.outputText}`));
      return signal as NodeJS.Signals | null;
    });
    this.ready = new Promise((resolve, reject) => {
      this.child.on('message', (message: { ready?: number; id?: number; result?: unknown; error?: string }) => {
        if (message.ready !== undefined) resolve(message.ready);
        else this.handleResponse(message);
      });
      void this.ended.then(() => reject(new Error(`The server did not start:\n${this.outputText}`)));
    });
    this.ready.catch(() => undefined);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get output(): string {
    return this.outputText;
  }

  async request<T>(request: ControlRequest): Promise<T> {
    const id = (this.requestCount += 1);
    return new Promise<T>((resolve, reject) => {
      this.pendingRequests.set(id, { resolve: (result) => resolve(result as T), reject });
      this.child.send({ id, request }, (error) => {
        if (error !== null) reject(new ServerExitedError(error.message));
      });
    }).finally(() => this.pendingRequests.delete(id));
  }

  /** Shuts the server down once, unless it was killed. */
  stop(): Promise<void> {
    if (this.hasExited) return Promise.resolve();
    this.continueProcess();
    return (this.stopPromise ??= this.request({ type: 'stop' }).then(async () => void (await this.ended)));
  }

  /** Continues a process that has stopped itself. */
  continueProcess(): void {
    this.child.kill('SIGCONT');
  }

  private handleResponse({ id = 0, result, error }: { id?: number; result?: unknown; error?: string }): void {
    const pendingRequest = this.pendingRequests.get(id);
    if (error === undefined) pendingRequest?.resolve(result);
    else pendingRequest?.reject(new Error(error));
  }
}
