import { inject, injectable } from 'inversify';
import { ApiError, type RunState } from '@countersign/model';
import type { PageRequest } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { approvalsOfRun } from '../approvals-of-run.js';
import { pageOf } from '../page-in-memory.js';
import { RunQueries } from '../run-queries.js';
import { agentStepWork, type AgentWorkView } from '../views/agent-work-view.js';

/** Maximum JSON length of the turns on one page, in characters. A longer turn gets its own page. */
const MAX_PAGE_SIZE = 2_000_000;

/** Queries for the work of agents in steps. */
@injectable()
export class AgentWorkQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /** @throws {ApiError} `run_not_found`, `step_not_found`, `invalid_cursor` */
  async work(runId: string, stepId: string, page: PageRequest): Promise<AgentWorkView> {
    const { state } = await this.runs.find(runId);
    const [events, approvals] = await Promise.all([
      this.storage.listAgentEvents(runId, stepId),
      approvalsOfRun(this.storage, runId),
    ]);
    const instance = instanceOf(state, stepId);
    const work = agentStepWork(events, approvals, instance === undefined);
    if (work === undefined)
      throw new ApiError('step_not_found', `The run has no step ${stepId} in which an agent has worked.`);
    const turns = pageOf(work.turns, `turns-${stepId}`, ({ turn }) => String(turn), page);
    const shown = fitting(turns.items);
    const nextCursor =
      shown.length < turns.items.length
        ? pageOf(turns.items, `turns-${stepId}`, ({ turn }) => String(turn), { limit: shown.length }).nextCursor
        : turns.nextCursor;
    return { ...work, turns: shown, budget: instance?.agent?.budget ?? null, nextCursor };
  }
}

function instanceOf({ instances }: RunState, stepId: string): RunState['instances'][string] | undefined {
  return Object.values(instances).find((instance) => instance.stepId === stepId);
}

/** Returns as many leading items as fit on a page, at least one. */
function fitting<T>(items: readonly T[]): T[] {
  let size = 0;
  const end = items.findIndex((item, index) => (size += JSON.stringify(item).length) > MAX_PAGE_SIZE && index > 0);
  return items.slice(0, end === -1 ? items.length : end);
}
