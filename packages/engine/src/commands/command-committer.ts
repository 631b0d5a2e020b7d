import { ApiError, type FailureLog, type LoggerPort } from '@countersign/core/plugin';
import type { CommitFailure, CommitResult, RunWrite, StoragePort } from '@countersign/core/ports';
import { EngineConflict } from '@countersign/model';
import type { CommandEvaluator } from './command-evaluator.js';
import { isPermanent, isRolledBack } from './database-errors.js';
import { findCommitted, type FoundCommit } from './find-committed.js';
import type { PendingCommand } from './pending-command.js';
import type { CommitListener, PreparedCommand } from './prepared-command.js';
import {
  calledRunsExceeded,
  buildOutcomeUnknownError,
  buildRefusalError,
  signingKeyRevoked,
  buildUnavailableError,
} from './refusals.js';
import type { RunCache } from '../caches/run-cache.js';
import type { UnwrittenCommands } from './unwritten-commands.js';
import type { WaitingCommands } from './waiting-commands.js';

/** Logs of failures that occur in large numbers while the database is unavailable. */
export interface FailureLogs {
  readonly batches: FailureLog;
  readonly unknownOutcomes: FailureLog;
  readonly failedWrites: FailureLog;
}

/** Writes prepared commands in one transaction and handles the result of each. */
export class CommandCommitter {
  constructor(
    private readonly storage: StoragePort,
    private readonly runs: RunCache,
    private readonly evaluator: Pick<CommandEvaluator, 'forgetDecisions' | 'forgetWorkflow' | 'wasMoved'>,
    private readonly listener: CommitListener,
    private readonly waitingCommands: WaitingCommands,
    private readonly unwrittenCommands: UnwrittenCommands,
    private readonly log: LoggerPort,
    private readonly failures: FailureLogs,
  ) {}

  async commit(prepared: readonly PreparedCommand[]): Promise<void> {
    if (prepared.length === 0) return;
    // A command that failed permanently would fail the whole batch.
    const isolatedCommands =
      prepared.length === 1 ? [] : prepared.filter(({ pending }) => pending.hadPermanentError === true);
    if (isolatedCommands.length > 0) {
      await this.commit(prepared.filter((each) => !isolatedCommands.includes(each)));
      for (const each of isolatedCommands) await this.commit([each]);
      return;
    }
    let results: readonly CommitResult[];
    try {
      results = await this.storage.commit(prepared.map((each) => each.write));
    } catch (error) {
      await this.handleCommitFailure(prepared, error);
      return;
    }
    const writtenCommands: PreparedCommand[] = [];
    const notCommitted: [PreparedCommand, NotCommittedResult][] = [];
    const commandsByError = new Map<unknown, PreparedCommand[]>();
    for (const [index, each] of prepared.entries()) {
      const result = results[index] ?? 'conflict';
      if (typeof result === 'object')
        commandsByError.set(result.error, [...(commandsByError.get(result.error) ?? []), each]);
      else if (result === 'committed') writtenCommands.push(each);
      else notCommitted.push([each, result]);
    }
    if (writtenCommands.length + notCommitted.length > 0) {
      this.failures.batches.recordSuccess();
      this.failures.unknownOutcomes.recordSuccess();
    }
    // The written commands must be settled before anything that may fail or take long.
    await Promise.all([
      ...writtenCommands.map((each) => this.settle(each)),
      ...notCommitted.map(([each, result]) => this.handleNotCommitted(each, result)),
    ]);
    for (const [error, commandsWithError] of commandsByError) await this.handleCommitFailure(commandsWithError, error);
  }

  /** Handles a successful commit immediately and responds to its command. Never rejects. */
  private async settle({ pending, runId, preparedWrite, write, workflow }: PreparedCommand): Promise<void> {
    try {
      if (preparedWrite.after !== null) this.runs.put(runId, preparedWrite.after);
      for (const { approvalId } of write.approvalsOpened) this.runs.rememberRunId(approvalId, runId);
      for (const { questionId } of write.questionsOpened) this.runs.rememberRunId(questionId, runId);
      this.listener.committed(write, preparedWrite, workflow);
      if (preparedWrite.result.refusal !== null)
        pending.reject(await buildRefusalError(this.storage, pending, preparedWrite.result.refusal));
      else {
        const response = write.storedResponse?.response ?? pending.respond?.(preparedWrite.outcome) ?? {};
        pending.resolve({ response, replayed: false, outcome: preparedWrite.outcome });
      }
    } catch (error) {
      this.log.error(
        { err: error, runId, action: pending.action },
        'wrote a command, but could not build its response',
      );
      pending.reject(error);
    }
  }

  private async handleNotCommitted(
    { pending, runId, write }: PreparedCommand,
    result: NotCommittedResult,
  ): Promise<void> {
    this.listener.discarded(write);
    this.runs.forget(runId);
    if (result === 'conflict' || result === 'outdated') clearErrors(pending);
    switch (result) {
      case 'locked':
        return this.waitingCommands.requeueAfterPause(pending);
      case 'outdated':
        this.evaluator.forgetDecisions(write.decisionsUsed);
        return this.waitingCommands.requeue(pending);
      case 'crowded':
        return pending.reject(calledRunsExceeded(write));
      case 'revoked':
        return this.unwrittenCommands.refuse(pending, runId, signingKeyRevoked());
      case 'answered':
        pending.keyState = 'suspect';
        return this.waitingCommands.requeue(pending, true);
      case 'fenced':
        return pending.reject(fencedError(pending, runId));
      case 'conflict':
        return this.retryAfterConflict(pending, write);
    }
  }

  private async retryAfterConflict(pending: PendingCommand, write: RunWrite): Promise<void> {
    const { target } = pending;
    if (target.kind === 'new') this.evaluator.forgetWorkflow(target.workflowId);
    if (
      target.kind === 'new' &&
      target.onlyNewest &&
      target.version !== undefined &&
      !(await this.evaluator.wasMoved(target.workflowId, write.engineOfWorkflow).catch(() => false))
    ) {
      pending.reject(
        new EngineConflict(
          'workflow_version_superseded',
          'A newer version of the workflow was deployed in the meantime.',
        ),
      );
      return;
    }
    this.waitingCommands.requeue(pending, true);
  }

  /**
   * Retries each command of a rolled-back batch separately, so that one command that the database refuses does not fail
   * the others.
   */
  private async handleCommitFailure(prepared: readonly PreparedCommand[], error: unknown): Promise<void> {
    if (prepared.length > 1 && isRolledBack(error)) {
      for (const each of prepared) await this.commit([each]);
      return;
    }
    const isUnknown = !isRolledBack(error);
    const found: ReadonlyMap<RunWrite, FoundCommit> = isUnknown
      ? await findCommitted(
          this.storage,
          prepared.map(({ write }) => write),
          this.log,
        )
      : new Map();
    const settlements: Promise<void>[] = [];
    for (const each of prepared) {
      const state = found.get(each.write);
      if (state?.kind === 'written') settlements.push(this.settle(each));
      else this.handleNotWritten(each, state, error, isUnknown);
    }
    await Promise.all(settlements);
  }

  private handleNotWritten(
    { pending, runId, write }: PreparedCommand,
    stored: Extract<FoundCommit, { kind: 'answered' }> | undefined,
    error: unknown,
    isUnknown: boolean,
  ): void {
    this.runs.forget(runId);
    this.listener.discarded(write);
    if (stored !== undefined) {
      pending.resolve({ response: stored.storedResponse.response, replayed: true, outcome: null });
    } else if (isPermanent(error)) {
      // Evaluated again on the stored state, because the write may conflict with that of another server.
      if (pending.hadPermanentError === true) this.unwrittenCommands.halt(pending, runId, error);
      else {
        pending.hadPermanentError = true;
        this.waitingCommands.requeue(pending, true);
      }
    } else {
      const { unknownOutcomes, failedWrites } = this.failures;
      (isUnknown ? unknownOutcomes : failedWrites).recordFailure(error, { runId, action: pending.action });
      pending.reject(isUnknown ? buildOutcomeUnknownError(error) : buildUnavailableError(error));
    }
  }
}

type NotCommittedResult = Exclude<CommitResult, 'committed' | CommitFailure>;

function fencedError({ cause }: PendingCommand, runId: string): Error {
  return cause !== null
    ? new EngineConflict(
        'message_delivered',
        'Another command has already consumed the message, inbound event or timer.',
      )
    : new ApiError('job_not_active', `Another worker has claimed the job (run ${runId}).`);
}

/**
 * Clears recorded errors: the data on which the command was evaluated has changed since, so another evaluation may
 * succeed.
 */
function clearErrors(pending: PendingCommand): void {
  delete pending.hadPermanentError;
  delete pending.halt;
}
