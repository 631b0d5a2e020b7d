import type { RunWrite, StoragePort } from '@countersign/core';

interface WatchedRun {
  approvalId?: string;
  outcome?: string;
  onApproval?: (approvalId: string) => void;
  onEnd?: (outcome: string) => void;
}

/**
 * Reports approvals and ends of runs to a driver in the same process once they are committed: it observes commits in
 * the storage, at no cost to the database. The engine is not involved.
 */
export class RunWatch {
  private readonly runs = new Map<string, WatchedRun>();

  constructor(storage: StoragePort) {
    const commit = storage.commit.bind(storage);
    storage.commit = async (writes) => {
      const results = await commit(writes);
      for (const [index, write] of writes.entries()) if (results[index] === 'committed') this.recordWrite(write);
      return results;
    };
  }

  /** Returns the id of the approval that a run waits for, once the approval exists. */
  waitForApproval(runId: string): Promise<string> {
    const run = this.getOrCreateRun(runId);
    const { approvalId } = run;
    return approvalId === undefined
      ? new Promise((resolve) => (run.onApproval = resolve))
      : Promise.resolve(approvalId);
  }

  /** Returns the outcome of a run once it has ended, then forgets the run. */
  async waitForEnd(runId: string): Promise<string> {
    const run = this.getOrCreateRun(runId);
    const outcome = run.outcome ?? (await new Promise<string>((resolve) => (run.onEnd = resolve)));
    this.runs.delete(runId);
    return outcome;
  }

  forget(runId: string): void {
    this.runs.delete(runId);
  }

  private recordWrite({ run: { runId, outcome }, approvalsOpened }: RunWrite): void {
    const run = this.getOrCreateRun(runId);
    for (const { approvalId } of approvalsOpened) {
      run.approvalId = approvalId;
      run.onApproval?.(approvalId);
    }
    if (outcome === null) return;
    run.outcome = outcome;
    run.onEnd?.(outcome);
  }

  private getOrCreateRun(runId: string): WatchedRun {
    const existing = this.runs.get(runId);
    if (existing !== undefined) return existing;
    const run: WatchedRun = {};
    this.runs.set(runId, run);
    return run;
  }
}
