import { inject, injectable } from 'inversify';
import { CountersignError } from '../errors/countersign-error.js';
import { EnginePort, type CancelRunRequest, type RecoverRunRequest } from '../ports/engine.js';
import { RunQueries } from './run-queries.js';
import { planView, type RunPlanView } from './views/plan-view.js';

/** What a cancellation or a recovery would do: the engine decides it and throws it away. */
@injectable()
export class PlanRun {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  async plan(kind: 'cancel' | 'recover', command: CancelRunRequest | RecoverRunRequest): Promise<RunPlanView> {
    const { runId } = command;
    const result = await this.engine.plan({ runId, command, kind });
    if (result.refusal !== null) {
      throw new CountersignError(result.refusal.code, result.refusal.message, result.refusal.details);
    }
    const detail = await this.runs.detail(runId);
    return planView(kind, detail, result.events);
  }
}
