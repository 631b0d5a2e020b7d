import { inject, injectable } from 'inversify';
import { EnginePort, type CommandResponse, type CancelRunRequest } from '../ports/engine.js';
import { contextOf, type Caller } from './caller.js';
import { PlanRun } from './plan-run.js';
import { answerWith, asResponse } from './views/as-response.js';
import type { RunPlanView } from './views/plan-view.js';
import { commandedRunView, type RunView } from './views/run-view.js';

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
    return answerWith(this.engine.cancelRun(request(input, caller)));
  }

  /** Returns what the request would do. Changes nothing. */
  plan(input: CancelRunInput, caller: Caller): Promise<RunPlanView> {
    return this.planner.plan({ kind: 'cancel', command: request(input, caller) });
  }
}

function request({ runId, reason = undefined }: CancelRunInput, caller: Caller): CancelRunRequest {
  return {
    context: contextOf(caller, 'cancelRun', { runId, reason: reason ?? null }),
    runId,
    reason: reason ?? null,
    respond: (outcome) => asResponse(commandedRunView(outcome)),
  };
}
