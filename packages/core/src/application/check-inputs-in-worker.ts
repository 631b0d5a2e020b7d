import { Worker } from 'node:worker_threads';
import { ApiError, type Json, type JsonObject } from '@countersign/model';
import type { FieldError } from './errors.js';
import { TOO_COSTLY_ERROR } from './validate-inputs.js';

export interface InputCheck {
  /** Identifies the schema: the digest of the workflow version or output schema, or the id of the question. */
  readonly digest: string;
  readonly schema: JsonObject;
  readonly inputs: Json;
}

interface PendingCheck {
  readonly check: InputCheck;
  readonly limitMs: number;
  readonly resolve: (errors: FieldError[] | undefined) => void;
  readonly reject: (error: Error) => void;
}

interface OverrunCount {
  count: number;
  lastAt: number;
}

/** Time limit of a check. Ordinary checks take less than a thousandth of it. */
const TIME_LIMIT_MS = 1_000;
/**
 * Time limit of checks whose schema has exceeded the limit repeatedly. While this limit applies, these checks also run
 * after all others.
 */
const SUSPECT_TIME_LIMIT_MS = 100;
const MAX_OVERRUNS = 4;
const OVERRUN_WINDOW_MS = 60_000;
const MAX_TRACKED_SCHEMAS = 500;
const MAX_WAITING_CHECKS = 1_000;
const MAX_MEMORY_MB = 256;

/**
 * Validates inputs against schemas in a worker thread. The cost is unpredictable: patterns backtrack, `uniqueItems`
 * compares all pairs, and references expand. A check that takes too long is terminated with its thread, so a user who
 * may start runs cannot block the server.
 */
class InputChecker {
  private worker: Worker | undefined;
  private isReady = false;
  private currentCheck: PendingCheck | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly waitingChecks: PendingCheck[] = [];
  private readonly suspectChecks: PendingCheck[] = [];
  private readonly overruns = new Map<string, OverrunCount>();

  check(check: InputCheck): Promise<FieldError[] | undefined> {
    const isSuspect = this.isSuspect(check.digest);
    const queue = isSuspect ? this.suspectChecks : this.waitingChecks;
    if (queue.length >= MAX_WAITING_CHECKS) {
      return Promise.reject(
        new ApiError('service_unavailable', 'Too many inputs are waiting to be checked. Try again later.'),
      );
    }
    return new Promise((resolve, reject) => {
      queue.push({ check, limitMs: isSuspect ? SUSPECT_TIME_LIMIT_MS : TIME_LIMIT_MS, resolve, reject });
      this.checkNext();
    });
  }

  private checkNext(): void {
    if (this.currentCheck !== undefined) return;
    this.currentCheck = this.waitingChecks.shift() ?? this.suspectChecks.shift();
    if (this.currentCheck === undefined) {
      // An idle worker must not keep the process alive.
      this.worker?.unref();
      return;
    }
    this.worker ??= this.startWorker();
    this.worker.ref();
    if (this.isReady) this.sendToWorker(this.worker, this.currentCheck);
  }

  private sendToWorker(worker: Worker, { check, limitMs }: PendingCheck): void {
    this.timer = setTimeout(() => {
      this.recordOverrun(check.digest);
      this.stopWorker();
      this.settle(({ resolve }) => resolve([TOO_COSTLY_ERROR]));
    }, limitMs);
    worker.postMessage(check);
  }

  private settle(settlePending: (pending: PendingCheck) => void): void {
    clearTimeout(this.timer);
    const { currentCheck } = this;
    this.currentCheck = undefined;
    if (currentCheck !== undefined) settlePending(currentCheck);
    this.checkNext();
  }

  private startWorker(): Worker {
    const worker = new Worker(new URL('./check-inputs-worker.js', import.meta.url), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    const ifCurrentWorker = (act: () => void): void => {
      if (this.worker === worker) act();
    };
    worker.on('message', (message: 'ready' | { readonly errors: FieldError[] | null }) =>
      ifCurrentWorker(() => {
        if (message !== 'ready') return this.settle(({ resolve }) => resolve(message.errors ?? undefined));
        this.isReady = true;
        if (this.currentCheck !== undefined) this.sendToWorker(worker, this.currentCheck);
      }),
    );
    worker.on('error', (error: Error) =>
      ifCurrentWorker(() => {
        this.stopWorker();
        const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        this.settle(({ resolve, reject }) => (isOutOfMemory ? resolve([TOO_COSTLY_ERROR]) : reject(error)));
      }),
    );
    worker.on('exit', () =>
      ifCurrentWorker(() => {
        this.stopWorker();
        this.settle(({ reject }) => reject(new Error('The worker thread that checks inputs ended unexpectedly.')));
      }),
    );
    return worker;
  }

  private stopWorker(): void {
    const { worker } = this;
    this.worker = undefined;
    this.isReady = false;
    void worker?.terminate();
  }

  private isSuspect(digest: string): boolean {
    const overrunCount = this.overruns.get(digest);
    return (
      overrunCount !== undefined &&
      overrunCount.count >= MAX_OVERRUNS &&
      performance.now() - overrunCount.lastAt < OVERRUN_WINDOW_MS
    );
  }

  private recordOverrun(digest: string): void {
    const now = performance.now();
    const previous = this.overruns.get(digest);
    const count = previous !== undefined && now - previous.lastAt < OVERRUN_WINDOW_MS ? previous.count + 1 : 1;
    if (this.overruns.size >= MAX_TRACKED_SCHEMAS) this.overruns.clear();
    this.overruns.set(digest, { count, lastAt: now });
  }
}

const inputChecker = new InputChecker();

/**
 * Returns the errors of inputs that do not match a schema, or an error if the check took too long; `undefined` if the
 * inputs are valid.
 */
export function checkInputsInWorker(check: InputCheck): Promise<FieldError[] | undefined> {
  return inputChecker.check(check);
}
