import { inject, injectable } from 'inversify';
import { EnginePort, type CommandResponse, type CancelRunRequest } from '../ports/engine.js';
import { buildRequestContext, type Caller } from './caller.js';
import { PlanRun } from './plan-run.js';
import { withResponseType, toJsonResponse } from './views/to-json-response.js';
import type { RunPlanView } from './views/run-plan-view.js';
import { toRunViewAfterCommand, type RunView } from './views/run-view.js';

export interface CancelRunInput {
  readonly runId: string;
  readonly reason?: string;
}

/** Cancels a run. The response is the run. */
@injectable()
export class CancelRun {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(PlanRun) private readonly planner: PlanRun,
  ) {}

  execute(input: CancelRunInput, caller: Caller): Promise<CommandResponse<RunView>> {
    return withResponseType(this.engine.cancelRun(buildRequest(input, caller)));
  }

  /** Returns the plan of the request without changing anything. */
  plan(input: CancelRunInput, caller: Caller): Promise<RunPlanView> {
    return this.planner.plan({ kind: 'cancel', command: buildRequest(input, caller) });
  }
}

function buildRequest({ runId, reason = undefined }: CancelRunInput, caller: Caller): CancelRunRequest {
  return {
    context: buildRequestContext(caller, 'cancelRun', { runId, reason: reason ?? null }),
    runId,
    reason: reason ?? null,
    respond: (outcome) => toJsonResponse(toRunViewAfterCommand(outcome)),
  };
}
