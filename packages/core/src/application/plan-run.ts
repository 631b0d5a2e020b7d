import { inject, injectable } from 'inversify';
import { type AdvanceResult, ApiError, isApiError } from '@countersign/model';
import { EnginePort, type CancelRunRequest, type PlannedCommand, type RecoverRunRequest } from '../ports/engine.js';
import { RunQueries } from './run-queries.js';
import { planView, plannedCompensations, type PlannedCallView, type RunPlanView } from './views/plan-view.js';

/** Maximum number of called runs that a plan considers. */
const MAX_CALLED_RUNS = 200;

/** Plans a cancellation or a recovery: the engine executes the command and discards the result. */
@injectable()
export class PlanRun {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  async plan(planned: Exclude<PlannedCommand, { kind: 'migrate' }>): Promise<RunPlanView> {
    const { kind, command } = planned;
    const { runId } = command;
    const result = await this.engine.plan(planned);
    if (result.refusal !== null) {
      throw new ApiError(result.refusal.code, result.refusal.message, result.refusal.details);
    }
    const detail = await this.runs.detail(runId);
    const called = await this.called(result, command);
    const plan = planView(kind, detail, result.events, called.slice(0, MAX_CALLED_RUNS));
    if (called.length > MAX_CALLED_RUNS)
      plan.notes.push(`More child runs than the ${MAX_CALLED_RUNS} listed would be cancelled.`);
    return plan;
  }

  /** Returns the called runs that would be cancelled and their compensations, closest runs first. */
  private async called(
    result: AdvanceResult,
    { context, respond }: CancelRunRequest | RecoverRunRequest,
  ): Promise<PlannedCallView[]> {
    const found: PlannedCallView[] = [];
    const open = cancelledCalls(result);
    for (let runId = open.shift(); runId !== undefined && found.length <= MAX_CALLED_RUNS; runId = open.shift()) {
      const cancelled = await this.cancelledCall({ runId, reason: null, context, respond });
      if (cancelled === undefined) continue;
      const { workflowId, parentRunId, status, ...detail } = await this.runs.detail(runId);
      const compensate = plannedCompensations(detail, cancelled.events);
      found.push({ runId, parentRunId, workflowId, status, compensate });
      open.push(...cancelledCalls(cancelled));
    }
    return found;
  }

  /**
   * Plans the cancellation of a called run. Returns `undefined` if there is nothing to cancel: the run has not started,
   * has ended, or is being cancelled.
   */
  private async cancelledCall(command: CancelRunRequest): Promise<AdvanceResult | undefined> {
    try {
      const result = await this.engine.plan({ command, kind: 'cancel' });
      return result.refusal === null ? result : undefined;
    } catch (error) {
      if (isApiError(error) && error.code === 'run_not_found') return undefined;
      throw error;
    }
  }
}

function cancelledCalls({ requests }: AdvanceResult): string[] {
  return requests.flatMap((request) =>
    request.type === 'send' && request.message.kind === 'child.cancel' ? [request.message.childRunId] : [],
  );
}
