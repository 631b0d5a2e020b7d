import { Worker } from 'node:worker_threads';
import { ApiError, type Json, type JsonObject } from '@countersign/model';
import type { FieldError } from './refuse.js';
import { TOO_COSTLY } from './validate-inputs.js';

export interface InputCheck {
  /** Digest of the workflow version that declares the schema. */
  readonly digest: string;
  readonly schema: JsonObject;
  readonly inputs: Json;
}

interface Pending {
  readonly check: InputCheck;
  readonly limitMs: number;
  readonly resolve: (faults: FieldError[] | undefined) => void;
  readonly reject: (error: Error) => void;
}

interface Overruns {
  count: number;
  lastAt: number;
}

/** Time limit of a check. Ordinary checks take less than a thousandth of it. */
const LIMIT_MS = 1_000;
/** Time limit of checks whose schema exceeded the limit repeatedly. For a while they also run last. */
const SUSPECT_LIMIT_MS = 100;
const MAX_OVERRUNS = 4;
const OVERRUNS_COUNT_MS = 60_000;
const MAX_SCHEMAS = 500;
const MAX_WAITING = 1_000;
const MAX_MEMORY_MB = 256;

/**
 * Validates inputs against schemas in a worker thread. The cost is unpredictable: patterns backtrack, `uniqueItems`
 * compares all pairs, and references expand. A check that takes too long is terminated with its thread, so a user who
 * may start runs cannot block the server.
 */
class InputChecker {
  private worker: Worker | undefined;
  private isReady = false;
  private current: Pending | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly waiting: Pending[] = [];
  private readonly suspects: Pending[] = [];
  private readonly overruns = new Map<string, Overruns>();

  check(check: InputCheck): Promise<FieldError[] | undefined> {
    const isSuspect = this.isSuspect(check.digest);
    const queue = isSuspect ? this.suspects : this.waiting;
    if (queue.length >= MAX_WAITING) {
      return Promise.reject(
        new ApiError('service_unavailable', 'Too many inputs are waiting to be checked. Try again later.'),
      );
    }
    return new Promise((resolve, reject) => {
      queue.push({ check, limitMs: isSuspect ? SUSPECT_LIMIT_MS : LIMIT_MS, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.current !== undefined) return;
    this.current = this.waiting.shift() ?? this.suspects.shift();
    if (this.current === undefined) {
      // An idle worker must not keep the process alive.
      this.worker?.unref();
      return;
    }
    this.worker ??= this.startWorker();
    this.worker.ref();
    if (this.isReady) this.send(this.worker, this.current);
  }

  private send(worker: Worker, { check, limitMs }: Pending): void {
    this.timer = setTimeout(() => {
      this.noteOverrun(check.digest);
      this.endWorker();
      this.settle(({ resolve }) => resolve([TOO_COSTLY]));
    }, limitMs);
    worker.postMessage(check);
  }

  private settle(act: (pending: Pending) => void): void {
    clearTimeout(this.timer);
    const { current } = this;
    this.current = undefined;
    if (current !== undefined) act(current);
    this.next();
  }

  private startWorker(): Worker {
    const worker = new Worker(new URL('./check-in-time-worker.js', import.meta.url), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    const ifCurrent = (act: () => void): void => {
      if (this.worker === worker) act();
    };
    worker.on('message', (message: 'ready' | { readonly faults: FieldError[] | null }) =>
      ifCurrent(() => {
        if (message !== 'ready') return this.settle(({ resolve }) => resolve(message.faults ?? undefined));
        this.isReady = true;
        if (this.current !== undefined) this.send(worker, this.current);
      }),
    );
    worker.on('error', (error: Error) =>
      ifCurrent(() => {
        this.endWorker();
        const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        this.settle(({ resolve, reject }) => (outOfMemory ? resolve([TOO_COSTLY]) : reject(error)));
      }),
    );
    worker.on('exit', () =>
      ifCurrent(() => {
        this.endWorker();
        this.settle(({ reject }) => reject(new Error('The thread that checks inputs has ended.')));
      }),
    );
    return worker;
  }

  private endWorker(): void {
    const { worker } = this;
    this.worker = undefined;
    this.isReady = false;
    void worker?.terminate();
  }

  private isSuspect(digest: string): boolean {
    const overruns = this.overruns.get(digest);
    return (
      overruns !== undefined &&
      overruns.count >= MAX_OVERRUNS &&
      performance.now() - overruns.lastAt < OVERRUNS_COUNT_MS
    );
  }

  private noteOverrun(digest: string): void {
    const now = performance.now();
    const before = this.overruns.get(digest);
    const count = before !== undefined && now - before.lastAt < OVERRUNS_COUNT_MS ? before.count + 1 : 1;
    if (this.overruns.size >= MAX_SCHEMAS) this.overruns.clear();
    this.overruns.set(digest, { count, lastAt: now });
  }
}

const checker = new InputChecker();

/** Returns why inputs do not fit a schema, including that the check took too long. */
export function checkInputsInWorker(check: InputCheck): Promise<FieldError[] | undefined> {
  return checker.check(check);
}
