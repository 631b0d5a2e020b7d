import { inject, injectable } from 'inversify';
import { type AdvanceResult, ApiError, isApiError } from '@countersign/model';
import { EnginePort, type CancelRunRequest, type PlannedCommand, type RecoverRunRequest } from '../ports/engine.js';
import { RunQueries } from './run-queries.js';
import {
  toRunPlanView,
  findPlannedCompensations,
  type PlannedChildRunView,
  type RunPlanView,
} from './views/run-plan-view.js';

/** Maximum number of child runs that a plan lists. */
const MAX_CHILD_RUNS = 200;

/** Plans a cancellation or a recovery: the engine executes the command and discards the result. */
@injectable()
export class PlanRun {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  async plan(plannedCommand: Exclude<PlannedCommand, { kind: 'migrate' }>): Promise<RunPlanView> {
    const { kind, command } = plannedCommand;
    const { runId } = command;
    const result = await this.engine.plan(plannedCommand);
    if (result.refusal !== null) {
      throw new ApiError(result.refusal.code, result.refusal.message, result.refusal.details);
    }
    const detail = await this.runs.getDetail(runId);
    const childRunPlans = await this.planChildRuns(result, command);
    const plan = toRunPlanView(kind, detail, result.events, childRunPlans.slice(0, MAX_CHILD_RUNS));
    if (childRunPlans.length > MAX_CHILD_RUNS)
      plan.notes.push(`More child runs than the ${MAX_CHILD_RUNS} listed would be cancelled.`);
    return plan;
  }

  /** Returns the child runs that would be cancelled, with their compensations, closest runs first. */
  private async planChildRuns(
    result: AdvanceResult,
    { context, respond }: CancelRunRequest | RecoverRunRequest,
  ): Promise<PlannedChildRunView[]> {
    const plans: PlannedChildRunView[] = [];
    const pendingRunIds = findCancelledChildRuns(result);
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
      pendingRunIds.push(...findCancelledChildRuns(cancelPlan));
    }
    return plans;
  }

  /**
   * Plans the cancellation of a child run. Returns `undefined` if there is nothing to cancel: the run has not started,
   * has ended, or is being cancelled.
   */
  private async planCancel(command: CancelRunRequest): Promise<AdvanceResult | undefined> {
    try {
      const result = await this.engine.plan({ command, kind: 'cancel' });
      return result.refusal === null ? result : undefined;
    } catch (error) {
      if (isApiError(error) && error.code === 'run_not_found') return undefined;
      throw error;
    }
  }
}

function findCancelledChildRuns({ requests }: AdvanceResult): string[] {
  return requests.flatMap((request) =>
    request.type === 'send' && request.message.kind === 'child.cancel' ? [request.message.childRunId] : [],
  );
}
