import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, FailureLog, type ClockPort, type LoggerPort } from '@countersign/core/plugin';
import type { RunWrite, StoragePort } from '@countersign/core/ports';
import { type AdvanceContext, EngineConflict, growingPause, randomId, type Refusal } from '@countersign/model';
import { enoughToBegin, sizeOfNextBatch } from './batch-size.js';
import { type CommandEvaluator, isCommandEvaluationError } from './command-evaluator.js';
import { isPermanent, isRolledBack } from './database-faults.js';
import { auditTarget, type Decided } from './decide.js';
import type { EngineOptions } from './engine-options.js';
import type { CommandAnswer, NewCommand, PendingCommand } from './pending-command.js';
import { findCommitted, type Found } from './find-committed.js';
import {
  approvalNotFound,
  calledRunsExceeded,
  haltOf,
  notAnId,
  notStorable,
  outcomeUnknown,
  questionNotFound,
  refusalError,
  runNotFound,
  signingKeyRevoked,
  unavailable,
} from './refusals.js';
import { findRunsOfAsked } from './find-runs-of-asked.js';
import { answerRepeated } from './repeated-requests.js';
import { fromStored, type CachedRun, type RunCache } from './run-cache.js';
import { scheduleBatch } from './batch-scheduler.js';
import { inTime, type InTime } from './in-time.js';
import type { CompiledVersion } from './workflow-cache.js';

const MAX_ATTEMPTS = 100;
/** How long a command is retried while a row that it writes is locked, in ms. */
const MAX_LOCKED_MS = 10_000;
/** Pauses between its tries, in ms. */
const FIRST_LOCKED_PAUSE_MS = 25;
const LONGEST_LOCKED_PAUSE_MS = 250;
/** Commands that may wait for locks at once. */
const MAX_POSTPONED = 10_000;

/** How long a batch waits for what is not evaluated at once, in ms. */
const LATE_AFTER_MS = 20;
/** Commands that may take longer at once. */
const MAX_LATE = 64;

/** What the queue tells the parts that act on a commit. */
export interface CommitListener {
  committed(write: RunWrite, decided: Decided, workflow: CompiledVersion): void;
  /** A reserved job slot that was not used after all. */
  discarded(write: RunWrite): void;
}

interface Prepared {
  readonly pending: PendingCommand;
  readonly runId: string;
  readonly decided: Decided;
  readonly write: RunWrite;
  readonly workflow: CompiledVersion;
}

/**
 * Takes commands of many runs together into one transaction (group commit).
 *
 * Commands of one run go one after the other. A command is decided on what this process remembers of the run, and the
 * commit stands only if that was still so; if not, the run is loaded and the command decided again. A refusal is never
 * given on memory alone.
 */
export class CommandQueue {
  private readonly waiting: PendingCommand[] = [];
  private readonly busyRuns = new Set<string>();
  private readonly keysInFlight = new Set<string>();
  private batches = 0;
  /** Commands that take longer than their batch. */
  private late = 0;
  /** They are written one after the other, so that batches find the database free. */
  private lateCommits: Promise<unknown> = Promise.resolve();
  /** Commands whose run is locked, until their next try. */
  private postponed = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];
  /** Commands whose outcome could not be computed or stored. */
  private halted = 0;
  private readonly failedBatches: FailureLog;
  private readonly unknownCommands: FailureLog;
  private readonly refusedCommands: FailureLog;

  constructor(
    private readonly storage: StoragePort,
    private readonly runs: RunCache,
    private readonly evaluator: CommandEvaluator,
    private readonly listener: CommitListener,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly options: EngineOptions,
  ) {
    // While the database is unavailable, every due command fails repeatedly.
    const errors: Pick<LoggerPort, 'info' | 'warn'> = {
      info: (fields, message) => log.info(fields, message),
      warn: (fields, message) => log.error(fields, message),
    };
    this.failedBatches = new FailureLog(errors, 'a batch of commands failed');
    this.unknownCommands = new FailureLog(errors, 'it is not known whether a command was written');
    this.refusedCommands = new FailureLog(errors, 'a command could not be written');
  }

  submit(command: NewCommand): Promise<CommandAnswer> {
    const unknown = notAnId(command.target);
    if (unknown !== undefined) return Promise.reject(unknown);
    const { idempotency } = command.context;
    const key = idempotency === undefined ? null : `${idempotency.scope}\n${idempotency.key}`;
    if (key !== null) {
      if (this.keysInFlight.has(key)) {
        return Promise.reject(
          new ApiError(
            'idempotency_in_flight',
            'The first request with this Idempotency-Key is still being worked on.',
          ),
        );
      }
      this.keysInFlight.add(key);
    }
    const answer = new Promise<CommandAnswer>((resolve, reject) => {
      // Without an answer to store, the commit has nothing to check the key by.
      const known = (command.respond ?? null) === null ? 'suspect' : 'assumed new';
      this.waiting.push({
        respond: null,
        fence: null,
        isOpen: false,
        details: {},
        delivery: null,
        toVersion: null,
        signingKey: null,
        ...command,
        attempts: 0,
        fresh: false,
        key: known,
        resolve,
        reject,
      });
    });
    this.schedule();
    return key === null ? answer : answer.finally(() => this.keysInFlight.delete(key));
  }

  /** The id of a run that begins now. */
  newRunId(): string {
    return randomId(this.clock.now());
  }

  /** Number of commands whose outcome could not be computed or stored. */
  get notStorable(): number {
    return this.halted;
  }

  /** Resolves when nothing is under way any more. */
  async drained(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    if (this.scheduled || this.nextSize() === 0) return;
    this.scheduled = true;
    scheduleBatch({ count: () => this.waiting.length, enough: () => enoughToBegin(this.batches, this.options) }, () => {
      this.scheduled = false;
      const batch = this.takeBatch(this.nextSize());
      if (batch.length === 0) return;
      this.batches += 1;
      void this.process(batch).finally(() => {
        this.batches -= 1;
        this.proceed();
      });
      this.schedule();
    });
  }

  private proceed(): void {
    this.schedule();
    if (!this.isIdle) return;
    for (const resolve of this.idle.splice(0)) resolve();
  }

  private get isIdle(): boolean {
    return this.waiting.length === 0 && this.batches === 0 && this.postponed === 0 && this.late === 0;
  }

  private nextSize(): number {
    return sizeOfNextBatch(this.waiting.length, this.batches, this.options);
  }

  private takeBatch(size: number): PendingCommand[] {
    const batch: PendingCommand[] = [];
    const runs = new Set<string>();
    for (let index = 0; index < this.waiting.length && batch.length < size;) {
      const pending = this.waiting[index];
      if (pending === undefined) break;
      const runId = this.knownRunId(pending);
      if (runId !== undefined && (this.busyRuns.has(runId) || runs.has(runId))) {
        index += 1;
        continue;
      }
      this.waiting.splice(index, 1);
      if (runId !== undefined) runs.add(runId);
      batch.push(pending);
    }
    for (const runId of runs) this.busyRuns.add(runId);
    return batch;
  }

  private knownRunId({ target }: PendingCommand): string | undefined {
    switch (target.kind) {
      case 'approval':
        return this.runs.runOfAsked(target.approvalId);
      case 'question':
        return this.runs.runOfAsked(target.questionId);
      default:
        return target.runId;
    }
  }

  private async process(batch: readonly PendingCommand[]): Promise<void> {
    const held = new Set<string>();
    const attempts = batch.map((pending) => pending.attempts);
    const late = new Set<PendingCommand>();
    for (const pending of batch) {
      const runId = this.knownRunId(pending);
      if (runId !== undefined) held.add(runId);
    }
    try {
      const located = await this.locate(await answerRepeated(this.storage, batch), held);
      const evaluated = await this.prepare(located);
      for (const [runId, evaluating] of evaluated.late) {
        const pending = located.get(runId);
        if (pending === undefined) continue;
        late.add(pending);
        held.delete(runId);
        this.commitLate(runId, pending, evaluating);
      }
      await this.commit(evaluated.done.filter(isPrepared));
    } catch (error) {
      this.failedBatches.failed(error, { commands: batch.length });
      // What went back into the queue meanwhile has another try coming.
      for (const [index, pending] of batch.entries()) {
        if (pending.attempts === attempts[index] && !late.has(pending)) pending.reject(unavailable(error));
      }
    } finally {
      for (const runId of held) this.busyRuns.delete(runId);
    }
  }

  /** Finds the runs behind approvals and questions. What meets a run that is busy goes back into the queue. */
  private async locate(batch: readonly PendingCommand[], held: Set<string>): Promise<Map<string, PendingCommand>> {
    await findRunsOfAsked(this.storage, this.runs, batch);
    const located = new Map<string, PendingCommand>();
    for (const pending of batch) {
      const runId = this.knownRunId(pending);
      if (runId === undefined) {
        this.fail(pending, pending.target.kind === 'question' ? questionNotFound() : approvalNotFound());
        continue;
      }
      const mine = held.has(runId);
      if (located.has(runId) || (!mine && this.busyRuns.has(runId))) {
        this.again(pending);
        continue;
      }
      held.add(runId);
      this.busyRuns.add(runId);
      located.set(runId, pending);
    }
    return located;
  }

  /** Writes a command once it is evaluated. Until then, its run takes no other. */
  private commitLate(runId: string, pending: PendingCommand, evaluating: Promise<Prepared | undefined>): void {
    const { attempts } = pending;
    this.late += 1;
    const committed = evaluating.then((prepared) => {
      if (prepared === undefined) return undefined;
      const commit = this.lateCommits.then(() => this.commit([prepared]));
      this.lateCommits = commit.catch(() => undefined);
      return commit;
    });
    void committed
      .catch((error: unknown) => {
        this.failedBatches.failed(error, { commands: 1 });
        if (pending.attempts === attempts) pending.reject(unavailable(error));
      })
      .finally(() => {
        this.late -= 1;
        this.busyRuns.delete(runId);
        this.proceed();
      });
  }

  /** Evaluates commands. One that takes long, or whose workflow has to be compiled, does not hold up the others. */
  private async prepare(located: ReadonlyMap<string, PendingCommand>): Promise<InTime<string, Prepared | undefined>> {
    const stored = await this.load(located);
    const policy = this.evaluator.currentPolicy();
    const works = [...located].map(
      ([runId, pending]) => [runId, () => this.evaluate(runId, pending, stored.get(runId), policy)] as const,
    );
    // With too many of them, whoever sends more has to wait.
    return inTime(works, this.late < MAX_LATE ? () => pause(LATE_AFTER_MS) : () => new Promise(() => undefined));
  }

  /**
   * What a command would write; `undefined` where it is refused, or goes back into the queue.
   *
   * @param stored the run as it was loaded for the command
   */
  private async evaluate(
    runId: string,
    pending: PendingCommand,
    stored: CachedRun | undefined,
    policy: AdvanceContext['policy'],
  ): Promise<Prepared | undefined> {
    try {
      const before = pending.target.kind === 'new' ? null : (stored ?? this.runs.get(runId));
      if (before === undefined) throw runNotFound(runId);
      const { decided, workflow } = await this.evaluator.evaluate(pending, before, policy);
      if (decided.result.refusal !== null && this.lookUpFirst(pending)) {
        if (decided.write !== null) this.listener.discarded(decided.write);
      } else if (decided.write !== null) return { pending, runId, decided, write: decided.write, workflow };
      else if (pending.target.kind === 'new' && pending.target.version === undefined && !pending.fresh) {
        // A newer version, deployed by another server, may take the command.
        this.evaluator.forgetNewest(pending.target.workflowId);
        this.again(pending, true);
      } else if (stored !== undefined || pending.target.kind === 'new') await this.refuseDecided(pending, decided);
      else this.again(pending, true);
    } catch (error) {
      if (!isCommandEvaluationError(error)) this.fail(pending, error);
      else if (!this.lookUpFirst(pending)) this.halt(pending, runId, error.cause);
    }
    return undefined;
  }

  /** Loads what is not in memory, or must not be taken from there. */
  private async load(located: ReadonlyMap<string, PendingCommand>): Promise<Map<string, CachedRun>> {
    const wanted = [...located].flatMap(([runId, { target, fresh }]) => {
      return target.kind !== 'new' && (fresh || this.runs.get(runId) === undefined) ? [runId] : [];
    });
    const loaded = new Map<string, CachedRun>();
    if (wanted.length === 0) return loaded;
    for (const [runId, run] of await this.storage.loadRuns(wanted)) loaded.set(runId, fromStored(run));
    return loaded;
  }

  private async commit(prepared: readonly Prepared[]): Promise<void> {
    if (prepared.length === 0) return;
    // A command that failed permanently would take the others of its batch down with it.
    const apart = prepared.length === 1 ? [] : prepared.filter(({ pending }) => pending.hadPermanentFault === true);
    if (apart.length > 0) {
      await this.commit(prepared.filter((each) => !apart.includes(each)));
      for (const each of apart) await this.commit([each]);
      return;
    }
    let results;
    try {
      results = await this.storage.commit(prepared.map((each) => each.write));
    } catch (error) {
      await this.commitFailed(prepared, error);
      return;
    }
    const failed = new Map<unknown, Prepared[]>();
    for (const [index, each] of prepared.entries()) {
      const { pending, runId, write } = each;
      const result = results[index];
      if (typeof result === 'object') {
        failed.set(result.error, [...(failed.get(result.error) ?? []), each]);
        continue;
      }
      this.failedBatches.succeeded();
      this.unknownCommands.succeeded();
      if (result !== 'committed') {
        this.listener.discarded(write);
        this.runs.forget(runId);
        if (result === 'conflict' || result === 'outdated') forgetFaults(pending);
        if (result === 'locked') this.onceUnlocked(pending);
        else if (result === 'outdated') {
          this.evaluator.forgetDecisions(write.decisionsUsed);
          this.again(pending);
        } else if (result === 'crowded') pending.reject(calledRunsExceeded(write));
        else if (result === 'revoked') await this.refuse(pending, runId, signingKeyRevoked());
        else this.retry(pending, result, runId);
        continue;
      }
      await this.settle(each);
    }
    for (const [error, ofError] of failed) await this.commitFailed(ofError, error);
  }

  /** Acts on a commit, and answers its command. */
  private async settle({ pending, runId, decided, write, workflow }: Prepared): Promise<void> {
    if (decided.after !== null) this.runs.put(runId, decided.after);
    for (const { approvalId } of write.approvalsOpened) this.runs.rememberAsked(approvalId, runId);
    for (const { questionId } of write.questionsOpened) this.runs.rememberAsked(questionId, runId);
    this.listener.committed(write, decided, workflow);
    if (decided.result.refusal !== null)
      pending.reject(await refusalError(this.storage, pending, decided.result.refusal));
    else {
      const response = write.answer?.response ?? pending.respond?.(decided.outcome) ?? {};
      pending.resolve({ response, replayed: false, outcome: decided.outcome });
    }
  }

  /** One command that the database refuses must not take the others down with it. */
  private async commitFailed(prepared: readonly Prepared[], error: unknown): Promise<void> {
    if (prepared.length > 1 && isRolledBack(error)) {
      for (const each of prepared) await this.commit([each]);
      return;
    }
    const isUnknown = !isRolledBack(error);
    const found: ReadonlyMap<RunWrite, Found> = isUnknown
      ? await findCommitted(
          this.storage,
          prepared.map(({ write }) => write),
          this.log,
        )
      : new Map();
    for (const each of prepared) {
      const { pending, runId, write } = each;
      const state = found.get(write);
      if (state?.kind === 'written') {
        await this.settle(each);
        continue;
      }
      this.runs.forget(runId);
      this.listener.discarded(write);
      if (state?.kind === 'answered') {
        pending.resolve({ response: state.answer.response, replayed: true, outcome: null });
        continue;
      }
      if (isPermanent(error)) {
        // Evaluated again on the stored state: the write may conflict with another server's.
        if (pending.hadPermanentFault === true) this.halt(pending, runId, error);
        else {
          pending.hadPermanentFault = true;
          this.again(pending, true);
        }
        continue;
      }
      (isUnknown ? this.unknownCommands : this.refusedCommands).failed(error, { runId, action: pending.action });
      pending.reject(isUnknown ? outcomeUnknown(error) : unavailable(error));
    }
  }

  /**
   * Halts a command that fails on every retry: its own effect is stored, and the tokens that it moves get incidents. If that cannot
   * be stored either, the command is rejected.
   */
  private halt(pending: PendingCommand, runId: string, cause: unknown): void {
    if (pending.halt !== undefined) {
      pending.reject(notStorable(cause));
      return;
    }
    this.halted += 1;
    pending.hadPermanentFault = true;
    pending.halt = haltOf(cause);
    this.refusedCommands.failed(cause, { runId, action: pending.action, code: pending.halt.code });
    this.again(pending, true);
  }

  private retry(pending: PendingCommand, result: string | undefined, runId: string): void {
    if (result === 'answered') {
      pending.key = 'suspect';
      this.again(pending, true);
      return;
    }
    if (pending.target.kind === 'new' && pending.target.onlyNewest && pending.target.version !== undefined) {
      this.evaluator.forgetNewest(pending.target.workflowId);
      pending.reject(
        new EngineConflict('workflow_version_superseded', 'A newer version of the workflow was deployed meanwhile.'),
      );
      return;
    }
    if (result === 'fenced' && pending.delivery !== null) {
      pending.reject(new EngineConflict('message_delivered', 'Somebody else has done what this would do.'));
      return;
    }
    if (result === 'fenced') {
      pending.reject(new ApiError('job_not_active', `The job was taken over by another worker (run ${runId}).`));
      return;
    }
    if (pending.target.kind === 'new') this.evaluator.forgetNewest(pending.target.workflowId);
    this.again(pending, true);
  }

  /** A repeated request is answered as before, also where it could not be carried out any more. */
  private lookUpFirst(pending: PendingCommand): boolean {
    if (pending.context.idempotency === undefined || pending.key !== 'assumed new') return false;
    pending.key = 'suspect';
    this.again(pending);
    return true;
  }

  private fail(pending: PendingCommand, error: unknown): void {
    if (!this.lookUpFirst(pending)) pending.reject(error);
  }

  private again(pending: PendingCommand, fresh = false): void {
    pending.attempts += 1;
    if (fresh) pending.fresh = true;
    if (pending.attempts > MAX_ATTEMPTS) {
      pending.reject(new ApiError('conflict', 'Others keep changing this run. Try again.'));
      return;
    }
    this.waiting.push(pending);
  }

  /** Retries a command after a pause without delaying others, because another session holds a row that it writes locked. */
  private onceUnlocked(pending: PendingCommand): void {
    const { tries, since } = pending.locked ?? { tries: 0, since: performance.now() };
    if (performance.now() - since > MAX_LOCKED_MS || this.postponed >= MAX_POSTPONED) {
      pending.reject(
        new ApiError(
          'service_unavailable',
          'The command could not be stored: another session holds a row that it writes locked in the database. Retry it later; a retry with the same Idempotency-Key is safe.',
        ),
      );
      return;
    }
    pending.attempts += 1;
    pending.locked = { tries: tries + 1, since };
    this.postponed += 1;
    setTimeout(
      () => {
        this.postponed -= 1;
        this.waiting.push(pending);
        this.schedule();
      },
      growingPause(tries + 1, FIRST_LOCKED_PAUSE_MS, LONGEST_LOCKED_PAUSE_MS),
    );
  }

  private async refuseDecided(pending: PendingCommand, { result }: Decided): Promise<void> {
    if (result.refusal === null) throw new Error('a command that changes nothing must be refused');
    await this.refuse(pending, result.state.runId, result.refusal);
  }

  /** A refusal leaves a trace as well. */
  private async refuse(pending: PendingCommand, runId: string, refusal: Refusal): Promise<void> {
    if (pending.context.actor.type !== 'system' && pending.fence === null) {
      await this.storage.appendAudit([
        {
          at: this.clock.now(),
          actor: pending.context.actor,
          action: pending.action,
          target: auditTarget(pending, runId),
          result: 'refused',
          from: pending.context.from,
          data: { traceId: pending.context.traceId, code: refusal.code },
        },
      ]);
    }
    pending.reject(await refusalError(this.storage, pending, refusal));
  }
}

function isPrepared(evaluated: Prepared | undefined): evaluated is Prepared {
  return evaluated !== undefined;
}

/** The run has changed since, so the command may lead to something else. */
function forgetFaults(pending: PendingCommand): void {
  delete pending.hadPermanentFault;
  delete pending.halt;
}
