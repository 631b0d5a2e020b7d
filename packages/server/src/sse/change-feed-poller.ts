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
 * Minimum pause between the end of a poll and the next poll that a commit triggers, so that many commits share one
 * poll.
 */
const MIN_PAUSE_BEFORE_EARLY_POLL_MS = 8;
const MAX_PAUSE_MS = 5_000;
const BATCH_SIZE = 500;
/** Maximum number of batches that are cached for slow listeners. */
const MAX_RECENT_BATCHES = 256;

export interface ChangeBatch {
  /** The position after the changes. */
  readonly position: string;
  readonly changes: readonly Change[];
  /** A string that changes whenever the current absences change. */
  readonly absences: string;
}

/**
 * Polls the change feed for all listeners in this process, only while there are listeners. Each listener pulls at its
 * own pace, so a slow one does not affect the others.
 */
export class ChangeFeedPoller {
  private head: string | undefined;
  private absences: string | undefined;
  private absenceChanges = 0;
  private startPromise: Promise<void> | undefined;
  private listenerCount = 0;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = POLL_MS;
  private isEarlyPollRequested = false;
  private isPolling = false;
  private lastPolledAt = -Infinity;
  /** Batches by the position before them, oldest first. */
  private readonly recentBatches = new Map<string, ChangeBatch>();
  private readonly waiters = new Set<() => void>();
  private readonly watchers = new Map<string, Set<() => void>>();
  private readonly batchLoader = new CoalescingLoader<ChangeBatch>();
  private readonly failures: FailureLog;

  constructor(
    private readonly storage: Pick<StoragePort, 'getFeedPosition' | 'listChangesAfter'>,
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
    this.listenerCount += 1;
    let isListening = true;
    const stopListening = (): void => {
      if (!isListening) return;
      isListening = false;
      this.listenerCount -= 1;
      if (this.listenerCount === 0) this.stopPolling();
    };
    try {
      await (this.startPromise ??= this.start());
    } catch (error) {
      stopListening();
      throw error;
    }
    return stopListening;
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
  get absenceChangeCount(): number {
    return this.absenceChanges;
  }

  /**
   * Returns the changes directly after a position that the poller has passed; `undefined` if they are no longer cached.
   */
  getBatchAfter(position: string): ChangeBatch | undefined {
    return this.recentBatches.get(position);
  }

  /** Reads the changes after any position from the storage. */
  readBatch(position: string): Promise<ChangeBatch> {
    return this.batchLoader.load(position, () => this.storage.listChangesAfter(position, BATCH_SIZE));
  }

  /** Resolves when there are changes after the current position, when absences change, or when the signal aborts. */
  async waitForChanges(signal: AbortSignal): Promise<void> {
    await waitForWake(this.waiters, signal);
  }

  /** Watches a run for changes until `stop` is called. */
  watch(runId: string): { waitForChange(signal: AbortSignal): Promise<void>; stop(): void } {
    const watchers = this.watchers.get(runId) ?? new Set<() => void>();
    this.watchers.set(runId, watchers);
    let hasChanged = false;
    let wake: (() => void) | undefined;
    const notify = (): void => {
      hasChanged = true;
      wake?.();
    };
    watchers.add(notify);
    return {
      waitForChange: async (signal) => {
        if (!hasChanged) {
          const ownWaiters = new Set<() => void>();
          wake = () => ownWaiters.forEach((each) => each());
          await waitForWake(ownWaiters, signal);
        }
        wake = undefined;
        hasChanged = false;
      },
      stop: () => {
        watchers.delete(notify);
        if (watchers.size === 0) this.watchers.delete(runId);
      },
    };
  }

  /** Schedules the next poll earlier, because this process has committed a change. */
  requestEarlyPoll(): void {
    if (this.head === undefined || this.isEarlyPollRequested) return;
    this.isEarlyPollRequested = true;
    // A poll in progress schedules the next one.
    if (!this.isPolling) this.schedule(this.delayAfterCommit());
  }

  private delayAfterCommit(): number {
    return Math.max(0, this.lastPolledAt + MIN_PAUSE_BEFORE_EARLY_POLL_MS - performance.now());
  }

  private async start(): Promise<void> {
    try {
      const position = await this.storage.getFeedPosition();
      // Read before anyone listens, so that listeners notice every later change of absences.
      this.absences = (await this.storage.listChangesAfter(position, 1)).absences;
      this.head = position;
    } catch (error) {
      this.startPromise = undefined;
      throw error;
    }
    // The last listener may have stopped while the position was read.
    if (this.listenerCount === 0) this.stopPolling();
    else this.schedule(POLL_MS);
  }

  private stopPolling(): void {
    clearTimeout(this.timer);
    if (this.head === undefined) return;
    this.startPromise = undefined;
    this.head = undefined;
    this.recentBatches.clear();
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.poll(), delayMs);
    this.timer.unref();
  }

  private async poll(): Promise<void> {
    const from = this.head;
    this.isEarlyPollRequested = false;
    if (from === undefined) return;
    try {
      const batch = await this.readChanges(from);
      if (this.head !== from) return;
      this.pauseMs = POLL_MS;
      this.failures.recordSuccess();
      if (batch.changes.length > 0) this.publish(from, batch);
      if (batch.absences !== this.absences) this.updateAbsences(batch.absences);
      this.schedule(
        batch.changes.length === BATCH_SIZE ? 0 : this.isEarlyPollRequested ? this.delayAfterCommit() : POLL_MS,
      );
    } catch (error) {
      if (this.head !== from) return;
      this.failures.recordFailure(error);
      this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
      this.schedule(this.pauseMs);
    }
  }

  private async readChanges(from: string): Promise<ChangeBatch> {
    this.isPolling = true;
    try {
      return await this.storage.listChangesAfter(from, BATCH_SIZE);
    } finally {
      this.isPolling = false;
      // Measured from the end, so that slow polls under load leave time for other work.
      this.lastPolledAt = performance.now();
    }
  }

  private updateAbsences(absences: string): void {
    this.absences = absences;
    this.absenceChanges += 1;
    for (const wake of [...this.waiters]) wake();
  }

  private publish(from: string, batch: ChangeBatch): void {
    this.recentBatches.set(from, batch);
    if (this.recentBatches.size > MAX_RECENT_BATCHES) {
      const oldest = this.recentBatches.keys().next();
      if (oldest.done !== true) this.recentBatches.delete(oldest.value);
    }
    this.head = batch.position;
    for (const wake of [...this.waiters]) wake();
    for (const runId of new Set(batch.changes.map((change) => change.runId))) {
      for (const notify of this.watchers.get(runId) ?? []) notify();
    }
  }
}

function waitForWake(waiters: Set<() => void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      waiters.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    waiters.add(wake);
    signal.addEventListener('abort', wake, { once: true });
  });
}

/** Returns whether an error reports a position that is not valid in the feed. */
export function isInvalidPosition(error: unknown): boolean {
  return isApiError(error) && error.code === 'invalid_cursor';
}
