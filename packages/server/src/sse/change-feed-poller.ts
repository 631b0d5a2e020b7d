import {
  type Change,
  CoalescingLoader,
  FailureLog,
  isApiError,
  type LoggerPort,
  type StoragePort,
} from '@countersign/core';

const POLL_MS = 250;
/** A hint of a commit brings the next look forward, but for this since the end of the last one: many commits share one look. */
const HINTED_GAP_MS = 8;
const MAX_PAUSE_MS = 5_000;
const BATCH = 500;
/** Batches that are kept for listeners who are a little behind. */
const KEPT = 256;

export interface ChangeBatch {
  /** The position behind the changes. */
  readonly position: string;
  readonly changes: readonly Change[];
  /** Another text than before where other people are away, or away otherwise. */
  readonly absences: string;
}

/**
 * What happens, for everybody in this process who listens: one poller reads the change feed, and only while somebody
 * listens. Listeners pull, each at its own pace, so a slow one costs nothing but its own place.
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

  /** Begins to listen. What is committed after it settles will be told. @returns ends it. */
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

  /** The position behind all that was told so far. */
  get position(): string {
    if (this.head === undefined) throw new Error('Nobody listens to the feed.');
    return this.head;
  }

  /** How often other people were away than before. It is no change of a run, so it has no position: what is shown is loaded again. */
  get absenceTurns(): number {
    return this.turns;
  }

  /** The changes right behind a position that the poller has passed, or `undefined` where it is not known any more. */
  after(position: string): ChangeBatch | undefined {
    return this.kept.get(position);
  }

  /** Changes behind any position, from the storage. */
  read(position: string): Promise<ChangeBatch> {
    return this.reads.load(position, () => this.storage.changesAfter(position, BATCH));
  }

  /** Settles when there is something behind the present position, when other people are away, or on the signal. */
  async next(signal: AbortSignal): Promise<void> {
    await waitIn(this.waiting, signal);
  }

  /** Notes that a run moved, until `stop`. */
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

  /** Something was committed in this process: look soon, not at the next turn. */
  hint(): void {
    if (this.head === undefined || this.hinted) return;
    this.hinted = true;
    // The look that is under way sees to the next one.
    if (!this.looking) this.schedule(this.delayAfterCommit());
  }

  private delayAfterCommit(): number {
    return Math.max(0, this.lookedAt + HINTED_GAP_MS - performance.now());
  }

  private async begin(): Promise<void> {
    try {
      const position = await this.storage.feedPosition();
      // Before anybody listens, so that they hear of every turn from now on.
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
      // From its end: where looks take long, because much goes on, they leave room for the rest.
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

/** Whether a position is none of the feed's. */
export function isInvalidPosition(error: unknown): boolean {
  return isApiError(error) && error.code === 'invalid_cursor';
}
