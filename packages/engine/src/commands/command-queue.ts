import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type ClockPort, FailureLog, type LoggerPort } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';
import { type AdvanceContext, createRandomId } from '@countersign/model';
import { scheduleBatch } from './batch-scheduler.js';
import { countForAllFreeBatches, nextBatchSize } from './batch-size.js';
import { CommandCommitter } from './command-committer.js';
import { type CommandEvaluator, isCommandEvaluationError } from './command-evaluator.js';
import type { PreparedWrite } from './build-run-write.js';
import type { EngineOptions } from '../engine-options.js';
import { locateRuns } from './locate-runs.js';
import { runWithGracePeriod, type GracePeriodResult } from './run-with-grace-period.js';
import { SlowCommandQueue } from './slow-command-queue.js';
import type { QueuedResponse, NewCommand, PendingCommand } from './pending-command.js';
import type { CommitListener, PreparedCommand } from './prepared-command.js';
import { approvalNotFound, findIdError, questionNotFound, runNotFound, buildUnavailableError } from './refusals.js';
import { respondToRepeatedRequests } from './respond-to-repeated-requests.js';
import { toCachedRun, type CachedRun, type RunCache } from '../caches/run-cache.js';
import { UnwrittenCommands } from './unwritten-commands.js';
import { WaitingCommands } from './waiting-commands.js';

/** How long a batch waits for commands that take long to evaluate, in ms. */
const EVALUATION_GRACE_MS = 20;

/** State of a run on which a command is evaluated. */
interface KnownRun {
  readonly run: CachedRun;
  /**
   * Whether the state was loaded from the storage for this command. Otherwise it comes from the cache of this process.
   */
  readonly isFromStorage: boolean;
}

/**
 * Collects commands of many runs into one transaction (group commit).
 *
 * Commands of one run are executed in sequence. A command is evaluated on the cached state of its run, and the commit
 * succeeds only if that state is current; otherwise the run is reloaded and the command evaluated again. A command is
 * refused only after its run was reloaded from the database.
 */
export class CommandQueue {
  private readonly waitingCommands: WaitingCommands;
  private readonly unwrittenCommands: UnwrittenCommands;
  private readonly committer: CommandCommitter;
  private readonly slowCommandQueue: SlowCommandQueue;
  private readonly keysInFlight = new Set<string>();
  private arrivalCount = 0;
  private runningBatchCount = 0;
  private isScheduled = false;
  private idleResolvers: (() => void)[] = [];
  private readonly batchFailures: FailureLog;

  constructor(
    private readonly storage: StoragePort,
    private readonly runs: RunCache,
    private readonly evaluator: CommandEvaluator,
    private readonly listener: CommitListener,
    private readonly clock: ClockPort,
    log: LoggerPort,
    private readonly options: EngineOptions,
  ) {
    // Logs these failures as errors. While the database is unavailable, every command fails, so a `FailureLog` limits
    // the entries.
    const errorLog: Pick<LoggerPort, 'info' | 'warn'> = {
      info: (fields, message) => log.info(fields, message),
      warn: (fields, message) => log.error(fields, message),
    };
    this.batchFailures = new FailureLog(errorLog, 'could not commit a batch of commands');
    const failures = {
      batches: this.batchFailures,
      unknownOutcomes: new FailureLog(errorLog, 'could not determine whether a command was written'),
      failedWrites: new FailureLog(errorLog, 'could not write a command'),
    };
    this.waitingCommands = new WaitingCommands(runs, () => this.schedule());
    this.unwrittenCommands = new UnwrittenCommands(storage, this.waitingCommands, clock, failures.failedWrites);
    this.committer = new CommandCommitter(
      storage,
      runs,
      evaluator,
      listener,
      this.waitingCommands,
      this.unwrittenCommands,
      log,
      failures,
    );
    this.slowCommandQueue = new SlowCommandQueue(
      {
        commit: (prepared) => this.committer.commit(prepared),
        onFailed: (commands, error) => this.rejectBatch(commands, error),
        onFinished: (runId) => {
          this.waitingCommands.release(runId);
          this.scheduleOrReportIdle();
        },
      },
      options.maxBatch,
    );
  }

  submit(command: NewCommand): Promise<QueuedResponse> {
    const invalidIdError = findIdError(command.target);
    if (invalidIdError !== undefined) return Promise.reject(invalidIdError);
    const { idempotency } = command.context;
    const key = idempotency === undefined ? null : `${idempotency.scope}\n${idempotency.key}`;
    if (key !== null) {
      if (this.keysInFlight.has(key)) {
        return Promise.reject(
          new ApiError(
            'idempotency_in_flight',
            'The first request with this Idempotency-Key is still in progress. Retry it later.',
          ),
        );
      }
      this.keysInFlight.add(key);
    }
    const response = new Promise<QueuedResponse>((resolve, reject) => {
      // Without a response to store, the commit cannot check the key.
      const keyState = (command.respond ?? null) === null ? 'suspect' : 'assumed new';
      this.waitingCommands.add({
        respond: null,
        fence: null,
        hasUnknownOutcome: false,
        details: {},
        cause: null,
        toVersion: null,
        signingKey: null,
        isReported: false,
        ...command,
        arrival: (this.arrivalCount += 1),
        retryCount: 0,
        skipCache: false,
        keyState,
        resolve,
        reject,
      });
    });
    return key === null ? response : response.finally(() => this.keysInFlight.delete(key));
  }

  /** Returns an id for a new run. */
  newRunId(): string {
    return createRandomId(this.clock.now());
  }

  /** Number of commands whose outcome could not be computed or stored. */
  get notStorableCount(): number {
    return this.unwrittenCommands.notStorableCount;
  }

  /** Resolves when no command is waiting or in progress. */
  async waitUntilIdle(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.idleResolvers.push(resolve));
  }

  private schedule(): void {
    if (this.isScheduled || this.getNextBatchSize() === 0) return;
    this.isScheduled = true;
    scheduleBatch(
      {
        count: () => this.waitingCommands.count,
        targetCount: () => countForAllFreeBatches(this.runningBatchCount, this.options),
      },
      () => {
        this.isScheduled = false;
        const batch = this.waitingCommands.take(this.getNextBatchSize());
        if (batch.length === 0) return;
        this.runningBatchCount += 1;
        void this.process(batch).finally(() => {
          this.runningBatchCount -= 1;
          this.scheduleOrReportIdle();
        });
        this.schedule();
      },
    );
  }

  private scheduleOrReportIdle(): void {
    this.schedule();
    if (!this.isIdle) return;
    for (const resolve of this.idleResolvers.splice(0)) resolve();
  }

  private get isIdle(): boolean {
    return this.waitingCommands.isEmpty && this.runningBatchCount === 0 && this.slowCommandQueue.isIdle;
  }

  private getNextBatchSize(): number {
    return nextBatchSize(this.waitingCommands.count, this.runningBatchCount, this.options);
  }

  private async process(batch: readonly PendingCommand[]): Promise<void> {
    const busyRunIds = new Set(batch.flatMap((pending) => this.waitingCommands.findRunId(pending) ?? []));
    const retryCounts = batch.map((pending) => pending.retryCount);
    const slowCommands = new Set<PendingCommand>();
    try {
      const located = await this.locate(await respondToRepeatedRequests(this.storage, batch), busyRunIds);
      const evaluated = await this.prepare(located);
      for (const [runId, evaluating] of evaluated.unfinished) {
        const pending = located.get(runId);
        if (pending === undefined) continue;
        slowCommands.add(pending);
        busyRunIds.delete(runId);
        this.slowCommandQueue.add(runId, pending, evaluating);
      }
      await this.committer.commit(evaluated.results.filter(isPrepared));
    } catch (error) {
      // Commands that went back into the queue get another attempt.
      const failedCommands = batch.filter(
        (pending, index) => pending.retryCount === retryCounts[index] && !slowCommands.has(pending),
      );
      this.rejectBatch(failedCommands, error);
    } finally {
      for (const runId of busyRunIds) this.waitingCommands.release(runId);
    }
  }

  private rejectBatch(commands: readonly PendingCommand[], error: unknown): void {
    this.batchFailures.recordFailure(error, { commands: commands.length });
    for (const pending of commands) pending.reject(buildUnavailableError(error));
  }

  /**
   * Finds the runs of the commands. Puts the commands of busy runs back into the queue, and returns the others by run
   * id.
   */
  private async locate(
    batch: readonly PendingCommand[],
    busyRunIds: Set<string>,
  ): Promise<Map<string, PendingCommand>> {
    await locateRuns(this.storage, this.runs, batch);
    const located = new Map<string, PendingCommand>();
    for (const pending of batch) {
      const runId = this.waitingCommands.findRunId(pending);
      if (runId === undefined) {
        this.unwrittenCommands.fail(
          pending,
          pending.target.kind === 'question' ? questionNotFound() : approvalNotFound(),
        );
        continue;
      }
      if (located.has(runId) || (!busyRunIds.has(runId) && !this.waitingCommands.hold(runId))) {
        this.waitingCommands.requeue(pending);
        continue;
      }
      busyRunIds.add(runId);
      located.set(runId, pending);
    }
    return located;
  }

  /**
   * Evaluates commands. A command that takes long, or whose workflow must be compiled first, does not delay the
   * others.
   */
  private async prepare(
    located: ReadonlyMap<string, PendingCommand>,
  ): Promise<GracePeriodResult<string, PreparedCommand | undefined>> {
    const known = await this.load(located);
    const policy = this.evaluator.currentPolicy();
    const evaluations = [...located].map(
      ([runId, pending]) => [runId, () => this.evaluate(runId, pending, known.get(runId), policy)] as const,
    );
    return runWithGracePeriod(evaluations, async () => {
      await pause(EVALUATION_GRACE_MS);
      await this.slowCommandQueue.waitForRoom();
    });
  }

  /**
   * Evaluates a command. Returns `undefined` if it is refused or goes back into the queue. Never rejects.
   *
   * @param known `undefined` for a new or unknown run
   */
  private async evaluate(
    runId: string,
    pending: PendingCommand,
    known: KnownRun | undefined,
    policy: AdvanceContext['policy'],
  ): Promise<PreparedCommand | undefined> {
    try {
      if (known === undefined && pending.target.kind !== 'new') throw runNotFound(runId);
      const { preparedWrite, workflow } = await this.evaluator.evaluate(pending, known?.run ?? null, policy);
      if (preparedWrite.result.refusal !== null && this.unwrittenCommands.requeueForKeyLookup(pending)) {
        if (preparedWrite.write !== null) this.listener.discarded(preparedWrite.write);
      } else if (preparedWrite.write !== null)
        return { pending, runId, preparedWrite, write: preparedWrite.write, workflow };
      else await this.handleNoChange(pending, preparedWrite, known);
    } catch (error) {
      if (isCommandEvaluationError(error)) {
        if (!this.unwrittenCommands.requeueForKeyLookup(pending))
          this.unwrittenCommands.halt(pending, runId, error.cause);
      } else this.unwrittenCommands.fail(pending, error);
    }
    return undefined;
  }

  /** Refuses a command, unless the cached state may be outdated. */
  private async handleNoChange(
    pending: PendingCommand,
    { result }: PreparedWrite,
    known: KnownRun | undefined,
  ): Promise<void> {
    const { target } = pending;
    if (target.kind === 'new' && target.version === undefined && !pending.skipCache) {
      // A newer version, deployed by another server, may accept the command.
      this.evaluator.forgetWorkflow(target.workflowId);
      this.waitingCommands.requeue(pending, true);
    } else if (target.kind !== 'new' && known?.isFromStorage !== true) {
      this.waitingCommands.requeue(pending, true);
    } else {
      if (result.refusal === null) throw new Error('a command that changes nothing must be refused');
      await this.unwrittenCommands.refuse(pending, result.state.runId, result.refusal);
    }
  }

  /** Returns the runs of the commands. Loads a run if it is not cached, or if its command must not use the cache. */
  private async load(located: ReadonlyMap<string, PendingCommand>): Promise<Map<string, KnownRun>> {
    const known = new Map<string, KnownRun>();
    const runIdsToLoad: string[] = [];
    for (const [runId, { target, skipCache }] of located) {
      if (target.kind === 'new') continue;
      const run = skipCache ? undefined : this.runs.get(runId);
      if (run === undefined) runIdsToLoad.push(runId);
      else known.set(runId, { run, isFromStorage: false });
    }
    if (runIdsToLoad.length === 0) return known;
    for (const [runId, stored] of await this.storage.loadRuns(runIdsToLoad))
      known.set(runId, { run: toCachedRun(stored), isFromStorage: true });
    return known;
  }
}

function isPrepared(evaluated: PreparedCommand | undefined): evaluated is PreparedCommand {
  return evaluated !== undefined;
}
