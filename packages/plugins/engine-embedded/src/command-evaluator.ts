import { advanceInPieces } from '@countersign/interpreter';
import { type ClockPort, isApiError, type PolicyPort } from '@countersign/core/plugin';
import type { DmnDecisionUse, RunWrite, StoragePort } from '@countersign/core/ports';
import {
  type AdvanceContext,
  type Command,
  inTurns,
  isEngineConflict,
  isModelRefusedError,
  type Refusal,
  type RunState,
} from '@countersign/model';
import { buildRunWrite, type PreparedWrite } from './build-run-write.js';
import type { DecisionCache } from './decision-cache.js';
import type { EngineOptions } from './engine-options.js';
import type { PendingCommand } from './pending-command.js';
import type { CachedRun } from './run-cache.js';
import { saltSource } from './salts.js';
import type { CompiledVersion, WorkflowCache } from './workflow-cache.js';

/** Knowledge of this process about its jobs, used to evaluate commands. */
export interface JobsAtHand {
  /** Returns the effect of the connector of a job type on other systems; `undefined` if unknown. */
  readonly effectOf: NonNullable<AdvanceContext['effectOf']>;
  /** Returns the destination to which the job of a task sends data. */
  readonly destinationOf: NonNullable<AdvanceContext['destinationOf']>;
  /** Returns the owner of a new job: this process if it has capacity for the job type, otherwise `null`. */
  readonly ownerFor: (jobType: string, runId: string) => string | null;
}

/** Thrown when the evaluation of a command fails. It is deterministic, so a retry fails as well. */
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
function* wrapFaults<T>(work: Generator<void, T>): Generator<void, T> {
  try {
    return yield* work;
  } catch (error) {
    throw isApiError(error) || isEngineConflict(error) || isModelRefusedError(error)
      ? error
      : new CommandEvaluationError(error);
  }
}

/** Evaluated command, and the workflow version of the run afterwards. */
export interface Evaluated {
  readonly decided: PreparedWrite;
  readonly workflow: CompiledVersion;
}

/**
 * Evaluates a command on its run, with the workflow version, policy, DMN decisions and absences that it needs. Writes
 * nothing, so an evaluation can be repeated.
 */
export class CommandEvaluator {
  readonly #salt = saltSource();

  constructor(
    private readonly storage: Pick<StoragePort, 'absencesNow' | 'contributorsUnderWay' | 'findEverClaimedJobs'>,
    private readonly workflows: WorkflowCache,
    private readonly decisions: DecisionCache,
    private readonly policy: PolicyPort,
    private readonly clock: ClockPort,
    private readonly jobs: JobsAtHand,
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
  async contextFor(
    state: RunState | null,
    workflow: CompiledVersion,
    target: CompiledVersion | undefined,
    policy = this.currentPolicy(),
  ): Promise<AdvanceContext> {
    return {
      now: this.clock.now(),
      policy,
      settings: this.options.settings,
      effectOf: this.jobs.effectOf,
      destinationOf: this.jobs.destinationOf,
      deployedBy: (target ?? workflow).deployedBy,
      ...(target === undefined
        ? {}
        : { leftDeployedBy: workflow.deployedBy, target: target.graph, claimedJobs: await this.#claimedJobs(state) }),
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
  ): Promise<Evaluated> {
    const workflow = await this.#workflowOf(pending, before);
    // The version that the run is migrated to.
    const target =
      pending.toVersion === null || before === null
        ? undefined
        : await this.workflows.get(before.state.workflowId, pending.toVersion);
    const { result, decisionsUsed, contributorsKnown } = await this.#advance(pending, workflow, before, target, policy);
    const decided = await inTurns(
      wrapFaults(
        buildRunWrite({
          pending,
          graph: workflow.graph,
          target: target?.graph,
          before,
          result,
          decisionsUsed,
          contributorsKnown,
          salt: this.#salt,
          ownerFor: this.jobs.ownerFor,
          leaseMs: this.options.leaseMs,
          maxCalledRuns: this.options.maxCalledRuns,
        }),
      ),
    );
    return { decided, workflow: target !== undefined && decided.result.refusal === null ? target : workflow };
  }

  /** Forgets the newest version of a workflow, because another server may have deployed a newer one. */
  forgetNewest(workflowId: string): void {
    this.workflows.forgetNewest(workflowId);
  }

  /** Forgets DMN decisions that the commit found to be outdated. */
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
      ...(await this.contextFor(state, workflow, target, policy)),
      ...(pending.halt === undefined ? {} : { halt: pending.halt }),
    };
    const carryOut = (wanted: Command) =>
      this.decisions.settle(target?.graph ?? workflow.graph, (decisions) =>
        inTurns(wrapFaults(advanceInPieces(workflow.graph, state, wanted, { decisions, ...context }))),
      );
    const wanted = pending.command(workflow, target);
    const contributorsKnown = await this.#contributorsUnderWay(wanted, state);
    const command =
      wanted.type !== 'approval.vote' || contributorsKnown === null || contributorsKnown.ids.length === 0
        ? wanted
        : { ...wanted, contributorsUnderWay: contributorsKnown.ids };
    const settled = await carryOut(command);
    const { value: result, used: decisionsUsed } =
      (await this.#retryAsSubstitute(command, settled.value.refusal, carryOut)) ?? settled;
    return { result, decisionsUsed, contributorsKnown };
  }

  /**
   * Returns contributors that are still in messages between related runs. Delivery takes a moment, and no vote may pass
   * without them.
   */
  async #contributorsUnderWay(command: Command, state: RunState | null): Promise<RunWrite['contributorsKnown']> {
    if (command.type !== 'approval.vote' || state === null || !hasRelatives(state)) return null;
    const rootRunId = state.parent?.rootRunId ?? state.runId;
    return { rootRunId, ids: await this.storage.contributorsUnderWay(rootRunId) };
  }

  /**
   * Retries a vote with the absences that name the actor as substitute. This case is rare, so absences are read only
   * after `not_a_candidate`.
   */
  async #retryAsSubstitute<T>(
    command: Command,
    refusal: Refusal | null,
    carryOut: (command: Command) => Promise<T>,
  ): Promise<T | undefined> {
    if (command.type !== 'approval.vote' || refusal?.code !== 'not_a_candidate') return undefined;
    const absences = await this.storage.absencesNow({
      substitutes: [command.actor.id, ...(command.actor.userNames ?? [])],
    });
    return absences.length === 0 ? undefined : carryOut({ ...command, absences });
  }

  /** Returns the jobs of a run that a worker has ever claimed. */
  async #claimedJobs(state: RunState | null): Promise<ReadonlySet<string>> {
    const jobs = Object.values(state?.instances ?? {}).flatMap(({ waits = [] }) =>
      waits.flatMap((wait) => (wait.kind === 'job' ? [wait.jobId] : [])),
    );
    return new Set(await this.storage.findEverClaimedJobs(jobs));
  }

  #workflowOf({ target }: PendingCommand, before: CachedRun | null): Promise<CompiledVersion> {
    if (before !== null) return this.workflows.get(before.state.workflowId, before.state.workflowVersion);
    if (target.kind !== 'new') throw new Error('only a new run has no state');
    return target.version === undefined
      ? this.workflows.guessNewest(target.workflowId)
      : this.workflows.get(target.workflowId, target.version);
  }
}

/** Returns whether a run has a parent run or waits for a child run. */
function hasRelatives({ parent, instances }: RunState): boolean {
  return (
    parent !== null || Object.values(instances).some(({ waits = [] }) => waits.some(({ kind }) => kind === 'child'))
  );
}
