/** Tells a client in another process what has become of its runs. */
export interface Follower {
  /** Settles when it would notice everything from now on. */
  start(): Promise<void>;
  /** The id of the approval that a run waits for. */
  approvalOf(runId: string): Promise<string>;
  endOf(runId: string): Promise<string>;
  stop(): Promise<void>;
}

/** What is waited for, by run. What comes before somebody waits for it is kept. */
export class Expected {
  private readonly waiting = new Map<string, (value: string) => void>();
  private readonly early = new Map<string, string>();

  get size(): number {
    return this.waiting.size;
  }

  of(runId: string): Promise<string> {
    const value = this.early.get(runId);
    if (value === undefined) return new Promise((resolve) => this.waiting.set(runId, resolve));
    this.early.delete(runId);
    return Promise.resolve(value);
  }

  /** Only for those who wait: what is on a list comes again. */
  tellWaiting(runId: string, value: string): void {
    this.waiting.get(runId)?.(value);
    this.waiting.delete(runId);
  }

  tell(runId: string, value: string): void {
    if (this.waiting.has(runId)) this.tellWaiting(runId, value);
    else this.early.set(runId, value);
  }
}
