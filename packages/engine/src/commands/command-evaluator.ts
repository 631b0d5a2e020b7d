import { advanceInPieces } from '@countersign/interpreter';
import { type ClockPort, isApiError, type PolicyPort } from '@countersign/core/plugin';
import type { DmnDecisionUse, RunWrite, StoragePort } from '@countersign/core/ports';
import {
  type AdvanceContext,
  type Command,
  runTimeSliced,
  isEngineConflict,
  isModelRefusedError,
  type Refusal,
  type RunState,
} from '@countersign/model';
import { buildRunWrite, type PreparedWrite } from './build-run-write.js';
import type { ChosenEngine, EngineChoice } from '../engine-choice.js';
import type { DecisionCache } from '../caches/decision-cache.js';
import type { EngineOptions } from '../engine-options.js';
import type { PendingCommand } from './pending-command.js';
import type { CachedRun } from '../caches/run-cache.js';
import { createSaltSource } from './salt-source.js';
import type { CompiledVersion, WorkflowCache } from '../caches/workflow-cache.js';

/** What the evaluation of commands needs to know about the engine and its jobs. */
export interface EngineLookup {
  /** Returns the name of the engine of this server. */
  readonly getEngineName: () => string;
  /** Finds the engine of a run; `undefined` if there is no such run. */
  readonly findEngineOfRun: (runId: string) => Promise<string | undefined>;
  /** Chooses the engines of new runs. */
  readonly choice: EngineChoice;
  /** Returns the effect of the connector of a job type on other systems; `undefined` if unknown. */
  readonly resolveEffect: NonNullable<AdvanceContext['resolveEffect']>;
  /** Returns the destination to which the job of a task sends data. */
  readonly resolveDestination: NonNullable<AdvanceContext['resolveDestination']>;
  /**
   * Reserves capacity for a new job and returns its owner: this process if it has capacity for the job type, otherwise
   * `null`.
   */
  readonly reserveOwner: (jobType: string, runId: string) => string | null;
}

/** Thrown when the evaluation of a command fails. The evaluation is deterministic, so a retry fails as well. */
class CommandEvaluationError extends Error {
  override readonly name = 'CommandEvaluationError';

  constructor(cause: unknown) {
    super('the outcome of a command cannot be computed', { cause });
  }
}

export function isCommandEvaluationError(error: unknown): error is CommandEvaluationError {
  return error instanceof CommandEvaluationError;
}

/** Wraps unexpected errors of deterministic work. Errors meant for the caller pass unchanged. */
function* wrapUnexpectedErrors<T>(work: Generator<void, T>): Generator<void, T> {
  try {
    return yield* work;
  } catch (error) {
    throw isApiError(error) || isEngineConflict(error) || isModelRefusedError(error)
      ? error
      : new CommandEvaluationError(error);
  }
}

/** Evaluated command, and the workflow version of the run afterwards. */
export interface EvaluatedCommand {
  readonly preparedWrite: PreparedWrite;
  readonly workflow: CompiledVersion;
}

/**
 * Evaluates a command on its run, with the workflow version, policy, DMN decisions and absences that it needs. Writes
 * nothing to the storage, so an evaluation can be repeated once the job capacity that it reserved is released.
 */
export class CommandEvaluator {
  readonly #salt = createSaltSource();

  constructor(
    private readonly storage: Pick<
      StoragePort,
      'listCurrentAbsences' | 'findPendingContributors' | 'findEverClaimedJobs'
    >,
    private readonly workflows: WorkflowCache,
    private readonly decisions: DecisionCache,
    private readonly policy: PolicyPort,
    private readonly clock: ClockPort,
    private readonly engine: EngineLookup,
    private readonly options: EngineOptions,
  ) {}

  /** Returns the current policy. */
  currentPolicy(): AdvanceContext['policy'] {
    return this.policy.current();
  }

  /**
   * Returns the context of `advance()`, without the DMN decisions.
   *
   * @param state `null` for a new run
   * @param target the version that the run is migrated to
   */
  async buildContext(
    state: RunState | null,
    workflow: CompiledVersion,
    target: CompiledVersion | undefined,
    policy = this.currentPolicy(),
  ): Promise<AdvanceContext> {
    return {
      now: this.clock.now(),
      policy,
      settings: this.options.settings,
      resolveEffect: this.engine.resolveEffect,
      resolveDestination: this.engine.resolveDestination,
      deployedBy: (target ?? workflow).deployedBy,
      ...(target === undefined
        ? {}
        : {
            leftDeployedBy: workflow.deployedBy,
            target: target.graph,
            claimedJobs: await this.#findClaimedJobs(state),
          }),
    };
  }

  /**
   * Evaluates a command on a run; `before` is `null` for a new run.
   *
   * @param policy the same for all commands of a batch
   * @throws {ApiError} `workflow_not_found`
   */
  async evaluate(
    pending: PendingCommand,
    before: CachedRun | null,
    policy: AdvanceContext['policy'],
  ): Promise<EvaluatedCommand> {
    const workflow = await this.#loadWorkflow(pending, before);
    // The version that the run is migrated to.
    const target =
      pending.toVersion === null || before === null
        ? undefined
        : await this.workflows.get(before.state.workflowId, pending.toVersion);
    const chosenEngine = await this.#chooseEngine(pending, before);
    const { result, decisionsUsed, contributorsKnown } = await this.#advance(pending, workflow, before, target, policy);
    const preparedWrite = await runTimeSliced(
      wrapUnexpectedErrors(
        buildRunWrite({
          pending,
          graph: workflow.graph,
          targetGraph: target?.graph,
          before,
          result,
          decisionsUsed,
          contributorsKnown,
          salt: this.#salt,
          chosenEngine,
          ownEngine: this.engine.getEngineName(),
          reserveOwner: this.engine.reserveOwner,
          leaseMs: this.options.leaseMs,
          maxChildRuns: this.options.maxChildRuns,
        }),
      ),
    );
    return {
      preparedWrite,
      workflow: target !== undefined && preparedWrite.result.refusal === null ? target : workflow,
    };
  }

  /** Returns whether the workflow was moved to another engine since a start that relied on its engine. */
  wasMoved(workflowId: string, engineOfWorkflow: string | null): Promise<boolean> {
    return this.engine.choice.wasMoved(workflowId, engineOfWorkflow);
  }

  /** Forgets what other servers may have changed: the newest version of a workflow, and its engine. */
  forgetWorkflow(workflowId: string): void {
    this.engine.choice.forget(workflowId);
    this.workflows.forgetNewest(workflowId);
  }

  /** Forgets the newest versions of the DMN decisions that a command used, because they may be outdated. */
  forgetDecisions(used: readonly DmnDecisionUse[]): void {
    this.decisions.forget(used);
  }

  async #advance(
    pending: PendingCommand,
    workflow: CompiledVersion,
    before: CachedRun | null,
    target: CompiledVersion | undefined,
    policy: AdvanceContext['policy'],
  ) {
    const state = before?.state ?? null;
    const context = {
      ...(await this.buildContext(state, workflow, target, policy)),
      ...(pending.halt === undefined ? {} : { halt: pending.halt }),
    };
    const execute = (commandToRun: Command) =>
      this.decisions.runWithDecisions(target?.graph ?? workflow.graph, (decisions) =>
        runTimeSliced(
          wrapUnexpectedErrors(advanceInPieces(workflow.graph, state, commandToRun, { decisions, ...context })),
        ),
      );
    const requestedCommand = pending.command(workflow, target);
    const contributorsKnown = await this.#loadPendingContributors(requestedCommand, state);
    const command =
      requestedCommand.type !== 'approval.vote' || contributorsKnown === null || contributorsKnown.ids.length === 0
        ? requestedCommand
        : { ...requestedCommand, pendingContributors: contributorsKnown.ids };
    const firstExecution = await execute(command);
    const { value: result, used: decisionsUsed } =
      (await this.#retryAsSubstitute(command, firstExecution.value.refusal, execute)) ?? firstExecution;
    return { result, decisionsUsed, contributorsKnown };
  }

  /**
   * Returns contributors that are still in messages between related runs. The delivery takes a moment, and a vote must
   * not be evaluated without them.
   */
  async #loadPendingContributors(command: Command, state: RunState | null): Promise<RunWrite['contributorsKnown']> {
    if (command.type !== 'approval.vote' || state === null || !hasParentOrChildRuns(state)) return null;
    const rootRunId = state.parent?.rootRunId ?? state.runId;
    return { rootRunId, ids: await this.storage.findPendingContributors(rootRunId) };
  }

  /**
   * Retries a vote with the absences that name the actor as substitute. This case is rare, so absences are read only
   * after `not_a_candidate`.
   */
  async #retryAsSubstitute<T>(
    command: Command,
    refusal: Refusal | null,
    execute: (command: Command) => Promise<T>,
  ): Promise<T | undefined> {
    if (command.type !== 'approval.vote' || refusal?.code !== 'not_a_candidate') return undefined;
    const absences = await this.storage.listCurrentAbsences({
      substitutes: [command.actor.id, ...(command.actor.userNames ?? [])],
    });
    return absences.length === 0 ? undefined : execute({ ...command, absences });
  }

  /** Returns the open jobs of a run that were claimed at least once. */
  async #findClaimedJobs(state: RunState | null): Promise<ReadonlySet<string>> {
    const jobIds = Object.values(state?.instances ?? {}).flatMap(({ waits = [] }) =>
      waits.flatMap((wait) => (wait.kind === 'job' ? [wait.jobId] : [])),
    );
    return new Set(await this.storage.findEverClaimedJobs(jobIds));
  }

  async #chooseEngine({ target }: PendingCommand, before: CachedRun | null): Promise<ChosenEngine> {
    if (before !== null) return { engine: before.engine, engineOfWorkflow: null };
    if (target.kind !== 'new') throw new Error('a command for an existing run was evaluated without its state');
    const { workflowId, parentRunId } = target;
    return this.engine.choice.choose(
      workflowId,
      parentRunId === undefined ? undefined : () => this.engine.findEngineOfRun(parentRunId),
    );
  }

  #loadWorkflow({ target }: PendingCommand, before: CachedRun | null): Promise<CompiledVersion> {
    if (before !== null) return this.workflows.get(before.state.workflowId, before.state.workflowVersion);
    if (target.kind !== 'new') throw new Error('a command for an existing run was evaluated without its state');
    return target.version === undefined
      ? this.workflows.guessNewest(target.workflowId)
      : this.workflows.get(target.workflowId, target.version);
  }
}

/** Returns whether a run has a parent run or waits for a child run. */
function hasParentOrChildRuns({ parent, instances }: RunState): boolean {
  return (
    parent !== null || Object.values(instances).some(({ waits = [] }) => waits.some(({ kind }) => kind === 'child'))
  );
}
