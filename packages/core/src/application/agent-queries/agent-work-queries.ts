import { inject, injectable } from 'inversify';
import { ApiError } from '@countersign/model';
import type { PageRequest } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { loadRunApprovals } from '../load-run-approvals.js';
import { paginate } from '../paginate.js';
import { RunQueries } from '../run-queries.js';
import { buildAgentStepWork, type AgentWorkView } from '../views/agent-work-view.js';

/** Maximum JSON length of the turns on one page, in characters. A longer turn gets its own page. */
const MAX_PAGE_CHARACTERS = 2_000_000;

/** Queries for the work of agents in steps. */
@injectable()
export class AgentWorkQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /** @throws {ApiError} `run_not_found`, `step_not_found`, `invalid_cursor` */
  async get(runId: string, stepId: string, page: PageRequest): Promise<AgentWorkView> {
    const { state } = await this.runs.find(runId);
    const [events, approvals] = await Promise.all([
      this.storage.listAgentEvents(runId, stepId),
      loadRunApprovals(this.storage, runId),
    ]);
    const openStep = state.openSteps.find((step) => step.stepId === stepId);
    const work = buildAgentStepWork(events, approvals, openStep === undefined);
    if (work === undefined)
      throw new ApiError('step_not_found', `The run has no step ${stepId} in which an agent has worked.`);
    const turns = paginate(work.turns, `turns-${stepId}`, ({ turn }) => String(turn), page);
    const fittingTurns = takeFittingItems(turns.items);
    const nextCursor =
      fittingTurns.length < turns.items.length
        ? paginate(turns.items, `turns-${stepId}`, ({ turn }) => String(turn), { limit: fittingTurns.length })
            .nextCursor
        : turns.nextCursor;
    return { ...work, turns: fittingTurns, budget: openStep?.agentBudget ?? null, nextCursor };
  }
}

/** Returns as many leading items as fit on a page, at least one. */
function takeFittingItems<T>(items: readonly T[]): T[] {
  let size = 0;
  const end = items.findIndex(
    (item, index) => (size += JSON.stringify(item).length) > MAX_PAGE_CHARACTERS && index > 0,
  );
  return items.slice(0, end === -1 ? items.length : end);
}
