import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import type { ElementCounts, RunCounts, StatisticsFilter, StatisticsLimits } from '../ports/statistics.js';
import { StoragePort } from '../ports/storage.js';
import { timestamp, timestampOrNull } from './views/as-response.js';

export type ElementStatisticsView = { -readonly [K in keyof ElementCounts]: ElementCounts[K] };

export type WorkflowStatisticsView = {
  workflowId: string;
  version: number | null;
  startedAfter: string | null;
  startedBefore: string | null;
  runs: RunCounts;
  elements: ElementStatisticsView[];
  sample: { complete: boolean; mostRuns: number; mostEvents: number; oldestStartedAt: string | null };
  computedAt: string;
};

/** Sample sizes, tried in order: a smaller one if a larger one takes too long. */
const LIMITS: readonly StatisticsLimits[] = [
  { runs: 10_000, events: 200_000 },
  { runs: 1_000, events: 20_000 },
  { runs: 100, events: 2_000 },
];
const TIMEOUT_MS = 5_000;
/** Time that a result is cached, in ms, so that many readers of a workflow cost no more than one. */
const FRESH_MS = 5_000;

/** Statistics of the runs of a workflow, by element. */
@injectable()
export class WorkflowStatistics {
  readonly #answers = new LRUCache<
    string,
    { readonly until: number; readonly answer: Promise<WorkflowStatisticsView> }
  >({ max: 200 });

  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Returns the statistics of the newest runs that fit. Repeated requests within seconds get the same result.
   *
   * @throws {ApiError} `workflow_not_found`, `workflow_version_not_found`, `service_unavailable`
   */
  of(filter: StatisticsFilter): Promise<WorkflowStatisticsView> {
    const key = JSON.stringify([filter.workflowId, filter.version, filter.startedAfter, filter.startedBefore]);
    const known = this.#answers.get(key);
    if (known !== undefined && this.clock.now() < known.until) return known.answer;
    const answer = this.#count(filter);
    this.#answers.set(key, { until: this.clock.now() + FRESH_MS, answer });
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  async #count(filter: StatisticsFilter): Promise<WorkflowStatisticsView> {
    await this.#mustExist(filter);
    const { workflowId, version = null, startedAfter = null, startedBefore = null } = filter;
    for (const limits of LIMITS) {
      const found = await this.storage.workflowStatistics(filter, limits, TIMEOUT_MS);
      if (found === undefined) continue;
      const { runs, elements, complete, oldestStartedAt } = found;
      return {
        workflowId,
        version,
        startedAfter: timestampOrNull(startedAfter),
        startedBefore: timestampOrNull(startedBefore),
        runs,
        elements: [...elements],
        sample: {
          complete,
          mostRuns: limits.runs,
          mostEvents: limits.events,
          oldestStartedAt: timestampOrNull(oldestStartedAt),
        },
        computedAt: timestamp(this.clock.now()),
      };
    }
    throw new ApiError('service_unavailable', 'Counting takes too long at the moment. Try again later.');
  }

  async #mustExist({ workflowId, version }: StatisticsFilter): Promise<void> {
    const newest = await this.storage.findWorkflowVersion(workflowId);
    if (newest === undefined) throw new ApiError('workflow_not_found', `There is no workflow "${workflowId}".`);
    if (version === undefined || version === newest.version) return;
    if ((await this.storage.findWorkflowVersion(workflowId, version)) === undefined) {
      throw new ApiError(
        'workflow_version_not_found',
        `Workflow "${workflowId}" has no version ${version}; the newest is ${newest.version}.`,
      );
    }
  }
}
