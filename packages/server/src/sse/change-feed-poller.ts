import {
  type Change,
  CoalescingLoader,
  FailureLog,
  isApiError,
  type LoggerPort,
  type StoragePort,
} from '@countersign/core';

const POLL_MS = 250;
/**
 * Minimum pause between the end of a poll and one that a commit triggers, in ms, so that many commits share one poll.
 */
const HINTED_GAP_MS = 8;
const MAX_PAUSE_MS = 5_000;
const BATCH = 500;
/** Number of batches kept for slow listeners. */
const KEPT = 256;

export interface ChangeBatch {
  /** The position after the changes. */
  readonly position: string;
  readonly changes: readonly Change[];
  /** A string that changes with the current absences. */
  readonly absences: string;
}

/**
 * Polls the change feed for all listeners in this process, only while there are listeners. Each listener pulls at its
 * own pace, so a slow one does not affect the others.
 */
export class ChangeFeedPoller {
  private head: string | undefined;
  private absences: string | undefined;
  private turns = 0;
  private starting: Promise<void> | undefined;
  private listeners = 0;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = POLL_MS;
  private hinted = false;
  private looking = false;
  private lookedAt = -Infinity;
  /** Batches by the position before them, oldest first. */
  private readonly kept = new Map<string, ChangeBatch>();
  private readonly waiting = new Set<() => void>();
  private readonly watchers = new Map<string, Set<() => void>>();
  private readonly reads = new CoalescingLoader<ChangeBatch>();
  private readonly failures: FailureLog;

  constructor(
    private readonly storage: Pick<StoragePort, 'feedPosition' | 'changesAfter'>,
    log: LoggerPort,
  ) {
    this.failures = new FailureLog(log, 'the change feed cannot be read');
  }

  /**
   * Starts listening. Every change that is committed after the promise resolves is delivered.
   *
   * @returns a function that stops listening
   */
  async listen(): Promise<() => void> {
    this.listeners += 1;
    let listening = true;
    const leave = (): void => {
      if (!listening) return;
      listening = false;
      this.listeners -= 1;
      if (this.listeners === 0) this.rest();
    };
    try {
      await (this.starting ??= this.begin());
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** The position after all changes delivered so far. */
  get position(): string {
    if (this.head === undefined) throw new Error('The change feed has no listeners.');
    return this.head;
  }

  /**
   * The number of times that absences have changed. An absence is not a change of a run and has no position, so clients
   * reload.
   */
  get absenceTurns(): number {
    return this.turns;
  }

  /**
   * Returns the changes directly after a position that the poller has passed; `undefined` if they are no longer kept.
   */
  after(position: string): ChangeBatch | undefined {
    return this.kept.get(position);
  }

  /** Reads the changes after any position from the storage. */
  read(position: string): Promise<ChangeBatch> {
    return this.reads.load(position, () => this.storage.changesAfter(position, BATCH));
  }

  /** Resolves when there are changes after the current position, when absences change, or on the signal. */
  async next(signal: AbortSignal): Promise<void> {
    await waitIn(this.waiting, signal);
  }

  /** Watches a run for changes, until `stop`. */
  watch(runId: string): { moved(signal: AbortSignal): Promise<void>; stop(): void } {
    const watchers = this.watchers.get(runId) ?? new Set<() => void>();
    this.watchers.set(runId, watchers);
    let dirty = false;
    let wake: (() => void) | undefined;
    const note = (): void => {
      dirty = true;
      wake?.();
    };
    watchers.add(note);
    return {
      moved: async (signal) => {
        if (!dirty) {
          const own = new Set<() => void>();
          wake = () => own.forEach((each) => each());
          await waitIn(own, signal);
        }
        wake = undefined;
        dirty = false;
      },
      stop: () => {
        watchers.delete(note);
        if (watchers.size === 0) this.watchers.delete(runId);
      },
    };
  }

  /** Brings the next poll forward, because this process has committed something. */
  hint(): void {
    if (this.head === undefined || this.hinted) return;
    this.hinted = true;
    // A poll in progress schedules the next one.
    if (!this.looking) this.schedule(this.delayAfterCommit());
  }

  private delayAfterCommit(): number {
    return Math.max(0, this.lookedAt + HINTED_GAP_MS - performance.now());
  }

  private async begin(): Promise<void> {
    try {
      const position = await this.storage.feedPosition();
      // Read before anyone listens, so that listeners notice every later change of absences.
      this.absences = (await this.storage.changesAfter(position, 1)).absences;
      this.head = position;
    } catch (error) {
      this.starting = undefined;
      throw error;
    }
    // The last listener may have left while the position was read.
    if (this.listeners === 0) this.rest();
    else this.schedule(POLL_MS);
  }

  private rest(): void {
    clearTimeout(this.timer);
    if (this.head === undefined) return;
    this.starting = undefined;
    this.head = undefined;
    this.kept.clear();
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.poll(), delayMs);
    this.timer.unref();
  }

  private async poll(): Promise<void> {
    const from = this.head;
    this.hinted = false;
    if (from === undefined) return;
    try {
      const batch = await this.look(from);
      if (this.head !== from) return;
      this.pauseMs = POLL_MS;
      this.failures.succeeded();
      if (batch.changes.length > 0) this.publish(from, batch);
      if (batch.absences !== this.absences) this.turn(batch.absences);
      this.schedule(batch.changes.length === BATCH ? 0 : this.hinted ? this.delayAfterCommit() : POLL_MS);
    } catch (error) {
      if (this.head !== from) return;
      this.failures.failed(error);
      this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
      this.schedule(this.pauseMs);
    }
  }

  private async look(from: string): Promise<ChangeBatch> {
    this.looking = true;
    try {
      return await this.storage.changesAfter(from, BATCH);
    } finally {
      this.looking = false;
      // Measured from the end, so that slow polls under load leave time for other work.
      this.lookedAt = performance.now();
    }
  }

  private turn(absences: string): void {
    this.absences = absences;
    this.turns += 1;
    for (const wake of [...this.waiting]) wake();
  }

  private publish(from: string, batch: ChangeBatch): void {
    this.kept.set(from, batch);
    if (this.kept.size > KEPT) {
      const oldest = this.kept.keys().next();
      if (oldest.done !== true) this.kept.delete(oldest.value);
    }
    this.head = batch.position;
    for (const wake of [...this.waiting]) wake();
    for (const runId of new Set(batch.changes.map((change) => change.runId))) {
      for (const note of this.watchers.get(runId) ?? []) note();
    }
  }
}

function waitIn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
  });
}

/** Returns whether an error reports a position that is not valid in the feed. */
export function isInvalidPosition(error: unknown): boolean {
  return isApiError(error) && error.code === 'invalid_cursor';
}
