/** Observes the progress of runs from a process other than the server. */
export interface Follower {
  /** Resolves when every later change will be observed. */
  start(): Promise<void>;
  /** Returns the id of the approval that a run waits for. */
  waitForApproval(runId: string): Promise<string>;
  waitForEnd(runId: string): Promise<string>;
  stop(): Promise<void>;
}

/** Expected values by run. A value that arrives before anything waits for it is stored. */
export class ExpectedValues {
  private readonly waiters = new Map<string, (value: string) => void>();
  private readonly storedValues = new Map<string, string>();

  get waiterCount(): number {
    return this.waiters.size;
  }

  waitFor(runId: string): Promise<string> {
    const value = this.storedValues.get(runId);
    if (value === undefined) return new Promise((resolve) => this.waiters.set(runId, resolve));
    this.storedValues.delete(runId);
    return Promise.resolve(value);
  }

  /** Notifies only a caller that is already waiting. For values from a list, which the next poll returns again. */
  notifyWaiting(runId: string, value: string): void {
    this.waiters.get(runId)?.(value);
    this.waiters.delete(runId);
  }

  notify(runId: string, value: string): void {
    if (this.waiters.has(runId)) this.notifyWaiting(runId, value);
    else this.storedValues.set(runId, value);
  }
}
