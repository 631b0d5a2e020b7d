import { computeExponentialBackoffMs } from '@countersign/model';
import { ApiError } from '@countersign/core/plugin';
import type { PendingCommand } from './pending-command.js';
import type { RunCache } from '../caches/run-cache.js';

const MAX_RETRIES = 100;
/** Time for which a command is retried while a row that it writes is locked, in ms. */
const MAX_LOCKED_MS = 10_000;
/** First and longest pause between the attempts of such a command, in ms. */
const FIRST_LOCKED_PAUSE_MS = 25;
const MAX_LOCKED_PAUSE_MS = 250;
/** Maximum number of commands that wait for locks. */
const MAX_POSTPONED = 10_000;

/**
 * Commands that wait for a batch, and the runs with commands in progress. Commands of one run are taken one at a time,
 * in order of arrival, even if one of them must be retried.
 */
export class WaitingCommands {
  private readonly commands: PendingCommand[] = [];
  private readonly busyRuns = new Set<string>();
  /** Number of commands that wait for their next attempt because a row that they write is locked. */
  private postponedCount = 0;

  /** @param onChange called when a command becomes available, unless a batch in progress requeues it */
  constructor(
    private readonly runs: RunCache,
    private readonly onChange: () => void,
  ) {}

  /** Number of commands that wait for a batch. */
  get count(): number {
    return this.commands.length;
  }

  get isEmpty(): boolean {
    return this.commands.length === 0 && this.postponedCount === 0;
  }

  /** Returns the run of a command; `undefined` if it must be looked up by its approval or question. */
  findRunId({ target }: PendingCommand): string | undefined {
    switch (target.kind) {
      case 'approval':
        return this.runs.findRunIdOfApprovalOrQuestion(target.approvalId);
      case 'question':
        return this.runs.findRunIdOfApprovalOrQuestion(target.questionId);
      default:
        return target.runId;
    }
  }

  add(pending: PendingCommand): void {
    this.commands.push(pending);
    this.onChange();
  }

  /** Takes at most `size` commands and marks their runs as busy. */
  take(size: number): PendingCommand[] {
    const batch: PendingCommand[] = [];
    for (let index = 0; index < this.commands.length && batch.length < size;) {
      const pending = this.commands[index];
      if (pending === undefined) break;
      const runId = this.findRunId(pending);
      if (runId !== undefined && !this.hold(runId)) {
        index += 1;
        continue;
      }
      this.commands.splice(index, 1);
      batch.push(pending);
    }
    return batch;
  }

  /**
   * Marks a run as busy.
   *
   * @returns whether it was free before
   */
  hold(runId: string): boolean {
    if (this.busyRuns.has(runId)) return false;
    this.busyRuns.add(runId);
    return true;
  }

  release(runId: string): void {
    this.busyRuns.delete(runId);
  }

  /**
   * Puts a command back for another attempt.
   *
   * @param skipCache whether the next evaluation must use the stored state instead of the cached one
   */
  requeue(pending: PendingCommand, skipCache = false): void {
    pending.retryCount += 1;
    if (skipCache) pending.skipCache = true;
    if (pending.retryCount > MAX_RETRIES) {
      pending.reject(
        new ApiError(
          'conflict',
          'The command could not be executed, because other requests keep changing this run. Retry it.',
        ),
      );
      return;
    }
    this.insertByArrival(pending);
  }

  /**
   * Retries a command after a pause, because another database session has locked a row that the command writes. Other
   * commands are not delayed.
   */
  requeueAfterPause(pending: PendingCommand): void {
    const { tries, since } = pending.lockWait ?? { tries: 0, since: performance.now() };
    if (performance.now() - since > MAX_LOCKED_MS || this.postponedCount >= MAX_POSTPONED) {
      pending.reject(
        new ApiError(
          'service_unavailable',
          'The command could not be stored: another database session holds a lock on a row that the command writes. Retry it later; a retry with the same Idempotency-Key is safe.',
        ),
      );
      return;
    }
    pending.retryCount += 1;
    pending.lockWait = { tries: tries + 1, since };
    this.postponedCount += 1;
    setTimeout(
      () => {
        this.postponedCount -= 1;
        this.insertByArrival(pending);
        this.onChange();
      },
      computeExponentialBackoffMs(tries + 1, FIRST_LOCKED_PAUSE_MS, MAX_LOCKED_PAUSE_MS),
    );
  }

  /**
   * Puts a command before later commands of its run; if there are none, at the end, so that it does not delay others.
   */
  private insertByArrival(pending: PendingCommand): void {
    const runId = this.findRunId(pending);
    const laterIndex =
      runId === undefined
        ? -1
        : this.commands.findIndex((other) => other.arrival > pending.arrival && this.findRunId(other) === runId);
    if (laterIndex === -1) this.commands.push(pending);
    else this.commands.splice(laterIndex, 0, pending);
  }
}
