import { LRUCache } from 'lru-cache';
import type { StoredRun } from '@countersign/core/ports';
import type { RunState } from '@countersign/model';

/** Run as this process last saw it. It may be outdated; the revision guards every write. */
export interface CachedRun extends Omit<StoredRun, 'state'> {
  readonly state: RunState;
}

export class RunCache {
  private readonly runs: LRUCache<string, CachedRun>;
  private readonly runIdByApprovalOrQuestion: LRUCache<string, string>;

  constructor(max: number) {
    this.runs = new LRUCache({ max });
    this.runIdByApprovalOrQuestion = new LRUCache({ max: max * 2 });
  }

  get(runId: string): CachedRun | undefined {
    return this.runs.get(runId);
  }

  has(runId: string): boolean {
    return this.runs.has(runId);
  }

  /**
   * Caches a run, unless a newer revision is cached: a load during a commit may be older. Ended runs are not cached,
   * because they are rarely needed, and thousands of their states would burden the garbage collector.
   */
  put(runId: string, run: CachedRun): void {
    if ((this.runs.peek(runId)?.revision ?? 0) > run.revision) return;
    if (run.state.completedAt === null) this.runs.set(runId, run);
    else this.runs.delete(runId);
  }

  forget(runId: string): void {
    this.runs.delete(runId);
  }

  /** Returns the id of the run of an approval or a question. It never changes. */
  findRunIdOfApprovalOrQuestion(id: string): string | undefined {
    return this.runIdByApprovalOrQuestion.get(id);
  }

  rememberRunId(id: string, runId: string): void {
    this.runIdByApprovalOrQuestion.set(id, runId);
  }
}

export function toCachedRun(stored: StoredRun): CachedRun {
  return { ...stored, state: JSON.parse(stored.state) as RunState };
}
