/** Times of a run in ms. They begin when its vote is sent. */
export interface RunTimes {
  /** Until the vote is answered. */
  readonly voteAnsweredMs: number;
  /** Until the next job begins. */
  readonly nextJobMs: number;
}

/** One engine that executes the workload. */
export interface EngineDriver {
  /** Starts a run, approves it, and waits until it is completed. */
  completeRun(index: number): Promise<RunTimes>;
  close(): Promise<void>;
}

/** Promises for things that happen once to each run, by its id. */
export class RunEvents<T> {
  private readonly waiting = new Map<string, (value: T) => void>();
  private readonly happened = new Map<string, T>();

  record(runId: string, value: T): void {
    const resolve = this.waiting.get(runId);
    if (resolve === undefined) this.happened.set(runId, value);
    this.waiting.delete(runId);
    resolve?.(value);
  }

  /** Waits for the event, and forgets the run. */
  take(runId: string): Promise<T> {
    const value = this.happened.get(runId);
    if (value === undefined) return new Promise((resolve) => this.waiting.set(runId, resolve));
    this.happened.delete(runId);
    return Promise.resolve(value);
  }
}
