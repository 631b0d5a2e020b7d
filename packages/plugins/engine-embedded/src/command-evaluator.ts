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

/** What the jobs of this process decide about a command. */
export interface JobsAtHand {
  /** What the connector of a job type does elsewhere; `undefined` where it is unknown. */
  readonly effectOf: NonNullable<AdvanceContext['effectOf']>;
  /** Where the work of a task goes to. */
  readonly destinationOf: NonNullable<AdvanceContext['destinationOf']>;
  /** The owner of a new job: this process where it has a free hand for the type, else `null`. */
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

/** A command as it would be written, and the version that the run is on afterwards. */
export interface Evaluated {
  readonly decided: PreparedWrite;
  readonly workflow: CompiledVersion;
}

/**
 * Works out what a command does to its run: with the version, the policy, the DMN decisions and the absences that it needs.
 * It writes nothing, so it can be repeated.
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

  /** What the policy is now. */
  currentPolicy(): AdvanceContext['policy'] {
    return this.policy.current();
  }

  /**
   * What `advance()` sees besides the command and the decisions.
   *
   * @param state `null` for a run that begins
   * @param target the version that the run is moved to
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
   * Evaluates a command on a run; `before` is `null` for a run that begins.
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
    // The version that a run is moved to.
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

  /** Another server may have deployed a newer version. */
  forgetNewest(workflowId: string): void {
    this.workflows.forgetNewest(workflowId);
  }

  /** The commit has found that these decisions are not the newest ones. */
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

  /** Runs that call each other tell each other of their contributors a moment later, and nobody decides within that moment. */
  async #contributorsUnderWay(command: Command, state: RunState | null): Promise<RunWrite['contributorsKnown']> {
    if (command.type !== 'approval.vote' || state === null || !hasRelatives(state)) return null;
    const rootRunId = state.parent?.rootRunId ?? state.runId;
    return { rootRunId, ids: await this.storage.contributorsUnderWay(rootRunId) };
  }

  /** Someone who is not asked may be the substitute of an absent approver. It is rare, so it is looked up only then. */
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

  /** The jobs of a run that a worker has begun. */
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

/** Whether a run was called, or waits for one that it has called. */
function hasRelatives({ parent, instances }: RunState): boolean {
  return (
    parent !== null || Object.values(instances).some(({ waits = [] }) => waits.some(({ kind }) => kind === 'child'))
  );
}
