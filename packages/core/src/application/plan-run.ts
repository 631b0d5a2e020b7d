import { inject, injectable } from 'inversify';
import { ApiError, isApiError } from '@countersign/model';
import {
  EnginePort,
  type CancelRunRequest,
  type PlannedCommand,
  type PlannedOutcome,
  type RecoverRunRequest,
} from '../ports/engine.js';
import { RunQueries } from './run-queries.js';
import {
  toRunPlanView,
  findPlannedCompensations,
  type PlannedChildRunView,
  type RunPlanView,
} from './views/run-plan-view.js';

/** Maximum number of child runs that a plan lists. */
const MAX_CHILD_RUNS = 200;

/** Plans a cancellation or a recovery: the engine evaluates the command and discards the outcome. */
@injectable()
export class PlanRun {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  async plan(plannedCommand: Exclude<PlannedCommand, { kind: 'migrate' }>): Promise<RunPlanView> {
    const { kind, command } = plannedCommand;
    const { runId } = command;
    const outcome = await this.engine.plan(plannedCommand);
    const { refusal } = outcome;
    if (refusal !== null) throw new ApiError(refusal.code, refusal.message, refusal.details);
    const detail = await this.runs.getDetail(runId);
    const childRunPlans = await this.planChildRuns(outcome, command);
    const plan = toRunPlanView(kind, detail, outcome.events, childRunPlans.slice(0, MAX_CHILD_RUNS));
    if (childRunPlans.length > MAX_CHILD_RUNS)
      plan.notes.push(`More child runs than the ${MAX_CHILD_RUNS} listed would be cancelled.`);
    return plan;
  }

  /** Returns the child runs that would be cancelled, with their compensations, closest runs first. */
  private async planChildRuns(
    outcome: PlannedOutcome,
    { context, respond }: CancelRunRequest | RecoverRunRequest,
  ): Promise<PlannedChildRunView[]> {
    const plans: PlannedChildRunView[] = [];
    const pendingRunIds = [...outcome.cancelledChildRunIds];
    for (
      let runId = pendingRunIds.shift();
      runId !== undefined && plans.length <= MAX_CHILD_RUNS;
      runId = pendingRunIds.shift()
    ) {
      const cancelPlan = await this.planCancel({ runId, reason: null, context, respond });
      if (cancelPlan === undefined) continue;
      const { workflowId, parentRunId, status, ...detail } = await this.runs.getDetail(runId);
      const compensate = findPlannedCompensations(detail, cancelPlan.events);
      plans.push({ runId, parentRunId, workflowId, status, compensate });
      pendingRunIds.push(...cancelPlan.cancelledChildRunIds);
    }
    return plans;
  }

  /**
   * Plans the cancellation of a child run. Returns `undefined` if there is nothing to cancel: the run has not started,
   * has ended, or is being cancelled.
   */
  private async planCancel(command: CancelRunRequest): Promise<PlannedOutcome | undefined> {
    try {
      const outcome = await this.engine.plan({ command, kind: 'cancel' });
      return outcome.refusal === null ? outcome : undefined;
    } catch (error) {
      if (isApiError(error) && error.code === 'run_not_found') return undefined;
      throw error;
    }
  }
}
