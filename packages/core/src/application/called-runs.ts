import { inject, injectable } from 'inversify';
import type { WaitingFor } from '../domain/run-projection.js';
import type { RunStatus } from '../domain/run-state.js';
import type { RunRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';

/** Called runs that are looked at for one answer; a view of more than that helps nobody. */
const MAX_CALLED_RUNS = 1_000;

/**
 * What a run shows of those that it has called: a call activity counts as its called run, whose waits show in the caller
 * too (interface decisions, "Run"). It is put together when it is read, since a called run moves on without its caller.
 * Filters of lists go by the run itself.
 */
@injectable()
export class CalledRuns {
  constructor(@inject(StoragePort) private readonly storage: StoragePort) {}

  /** The runs, as they are with those that they have called. */
  async withCalled(runs: readonly RunRecord[]): Promise<RunRecord[]> {
    const called = await this.load(runs);
    return called.size === 0 ? [...runs] : runs.map((run) => withCalled(run, called));
  }

  private async load(runs: readonly RunRecord[]): Promise<ReadonlyMap<string, RunRecord>> {
    const found = new Map<string, RunRecord>();
    for (let level = runs; level.length > 0 && found.size < MAX_CALLED_RUNS; ) {
      const wanted = level.flatMap(calledBy).filter((runId) => !found.has(runId));
      if (wanted.length === 0) break;
      level = await this.storage.findRuns(wanted.slice(0, MAX_CALLED_RUNS - found.size));
      for (const run of level) found.set(run.runId, run);
    }
    return found;
  }
}

function calledBy({ outcome, waitingFor }: RunRecord): string[] {
  return outcome === null ? waitingFor.flatMap(({ childRunId }) => (childRunId === undefined ? [] : [childRunId])) : [];
}

function withCalled(run: RunRecord, all: ReadonlyMap<string, RunRecord>): RunRecord {
  const ids = calledBy(run);
  if (ids.length === 0) return run;
  const called = ids.flatMap((id) => {
    const child = all.get(id);
    return child === undefined ? [] : [withCalled(child, all)];
  });
  const sum = (count: (each: RunRecord) => number): number => called.reduce((total, each) => total + count(each), 0);
  const waiting = called.filter(({ outcome }) => outcome === null);
  // One that has not begun yet, and one whose end has not been told yet, is about to go on.
  const isMoving = waiting.length < ids.length;
  const status = statusOf(run, [...waiting.map((each) => each.status), ...(isMoving ? (['active'] as const) : [])]);
  return {
    ...run,
    status,
    waitingFor: [...run.waitingFor, ...waiting.flatMap((each) => each.waitingFor)].sort((a, b) => a.since - b.since),
    pendingApprovals: run.pendingApprovals + sum((each) => (each.outcome === null ? each.pendingApprovals : 0)),
    pendingQuestions: run.pendingQuestions + sum((each) => (each.outcome === null ? each.pendingQuestions : 0)),
    error: run.error ?? (status === 'failed' ? (waiting.find((each) => each.status === 'failed')?.error ?? null) : null),
  };
}

/** The first of active, blocked and failed that holds of the run without its call activities, or of a called run. */
function statusOf(run: RunRecord, called: readonly RunStatus[]): RunStatus {
  if (run.status === 'active' || called.includes('active')) return 'active';
  if (run.waitingFor.some(isOwn) || called.includes('blocked')) return 'blocked';
  return 'failed';
}

function isOwn({ childRunId }: WaitingFor): boolean {
  return childRunId === undefined;
}
