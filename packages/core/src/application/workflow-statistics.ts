import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import type { ElementCounts, RunCounts, StatisticsFilter, StatisticsLimits } from '../ports/statistics.js';
import { StoragePort } from '../ports/storage.js';
import { toTimestamp, toTimestampOrNull } from './views/to-json-response.js';

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
const SAMPLE_LIMITS: readonly StatisticsLimits[] = [
  { runs: 10_000, events: 200_000 },
  { runs: 1_000, events: 20_000 },
  { runs: 100, events: 2_000 },
];
const TIMEOUT_MS = 5_000;
/** Time for which a result is cached, in ms, so that many readers of a workflow cost no more than one. */
const CACHE_TTL_MS = 5_000;

/** Statistics of the runs of a workflow, by element. */
@injectable()
export class WorkflowStatistics {
  readonly #cache = new LRUCache<
    string,
    { readonly expiresAt: number; readonly result: Promise<WorkflowStatisticsView> }
  >({
    max: 200,
  });

  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Returns statistics of the newest runs, as many as can be counted in time. Repeated requests within seconds return
   * the same result.
   *
   * @throws {ApiError} `workflow_not_found`, `workflow_version_not_found`, `service_unavailable`
   */
  get(filter: StatisticsFilter): Promise<WorkflowStatisticsView> {
    const key = JSON.stringify([filter.workflowId, filter.version, filter.startedAfter, filter.startedBefore]);
    const cached = this.#cache.get(key);
    if (cached !== undefined && this.clock.now() < cached.expiresAt) return cached.result;
    const statistics = this.#computeStatistics(filter);
    this.#cache.set(key, { expiresAt: this.clock.now() + CACHE_TTL_MS, result: statistics });
    statistics.catch(() => this.#cache.delete(key));
    return statistics;
  }

  async #computeStatistics(filter: StatisticsFilter): Promise<WorkflowStatisticsView> {
    await this.#requireWorkflow(filter);
    const { workflowId, version = null, startedAfter = null, startedBefore = null } = filter;
    for (const limits of SAMPLE_LIMITS) {
      const record = await this.storage.computeWorkflowStatistics(filter, limits, TIMEOUT_MS);
      if (record === undefined) continue;
      const { runs, elements, complete, oldestStartedAt } = record;
      return {
        workflowId,
        version,
        startedAfter: toTimestampOrNull(startedAfter),
        startedBefore: toTimestampOrNull(startedBefore),
        runs,
        elements: [...elements],
        sample: {
          complete,
          mostRuns: limits.runs,
          mostEvents: limits.events,
          oldestStartedAt: toTimestampOrNull(oldestStartedAt),
        },
        computedAt: toTimestamp(this.clock.now()),
      };
    }
    throw new ApiError(
      'service_unavailable',
      'Computing the statistics takes too long at the moment. Try again later.',
    );
  }

  async #requireWorkflow({ workflowId, version }: StatisticsFilter): Promise<void> {
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
