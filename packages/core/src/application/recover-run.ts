import { inject, injectable } from 'inversify';
import { findInputProblem, type JsonObject } from '@countersign/model';
import { EnginePort, type CommandResponse, type RecoverRunRequest } from '../ports/engine.js';
import { buildRequestContext, type Caller } from './caller.js';
import { PlanRun } from './plan-run.js';
import { inputError } from './errors.js';
import { withResponseType, toJsonResponse } from './views/to-json-response.js';
import type { RunPlanView } from './views/run-plan-view.js';
import { toRunViewAfterCommand, type RunView } from './views/run-view.js';

export interface RecoverRunInput {
  readonly runId: string;
  /** Step ids; all failed steps by default. */
  readonly steps?: readonly string[];
  readonly variables?: JsonObject;
  readonly comment?: string;
}

/** Recovers the failed steps of a run. The response is the run. */
@injectable()
export class RecoverRun {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(PlanRun) private readonly planner: PlanRun,
  ) {}

  async execute(input: RecoverRunInput, caller: Caller): Promise<CommandResponse<RunView>> {
    return withResponseType(this.engine.recoverRun(buildRequest(input, caller)));
  }

  /** Returns the plan of the request without changing anything. */
  async plan(input: RecoverRunInput, caller: Caller): Promise<RunPlanView> {
    return this.planner.plan({ kind: 'recover', command: buildRequest(input, caller) });
  }
}

function buildRequest({ runId, steps, variables, comment }: RecoverRunInput, caller: Caller): RecoverRunRequest {
  const problem = variables === undefined ? undefined : findInputProblem(variables, '/variables');
  if (problem !== undefined) throw inputError('validation_failed', 'The variables cannot be stored.', [{ ...problem }]);
  return {
    context: buildRequestContext(caller, 'recoverRun', {
      runId,
      steps: steps === undefined ? null : [...steps],
      variables: variables ?? null,
      comment: comment ?? null,
    }),
    runId,
    steps: steps ?? null,
    variables: variables ?? null,
    comment: comment ?? null,
    respond: (outcome) => toJsonResponse(toRunViewAfterCommand(outcome)),
  };
}
