/** Reports the progress of its runs to a client in another process. */
export interface Follower {
  /** Settles when every later change will be noticed. */
  start(): Promise<void>;
  /** Returns the id of the approval that a run waits for. */
  waitForApproval(runId: string): Promise<string>;
  waitForEnd(runId: string): Promise<string>;
  stop(): Promise<void>;
}

/** Expected values by run. A value that arrives before anything waits for it is stored. */
export class ExpectedValues {
  private readonly waiting = new Map<string, (value: string) => void>();
  private readonly arrived = new Map<string, string>();

  get size(): number {
    return this.waiting.size;
  }

  waitFor(runId: string): Promise<string> {
    const value = this.arrived.get(runId);
    if (value === undefined) return new Promise((resolve) => this.waiting.set(runId, resolve));
    this.arrived.delete(runId);
    return Promise.resolve(value);
  }

  /** Notifies only current waiters: entries of a list come again. */
  notifyWaiting(runId: string, value: string): void {
    this.waiting.get(runId)?.(value);
    this.waiting.delete(runId);
  }

  notify(runId: string, value: string): void {
    if (this.waiting.has(runId)) this.notifyWaiting(runId, value);
    else this.arrived.set(runId, value);
  }
}
