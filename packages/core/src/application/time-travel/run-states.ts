import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { runTimeSliced } from '@countersign/model';
import { EnginePort } from '../../ports/engine.js';
import { StoragePort } from '../../ports/storage.js';
import { requireCapability } from '../require-capability.js';
import { RunQueries } from '../run-queries.js';
import type { RunStateView } from '../views/run-state-view.js';
import { WorkflowGraphs } from '../workflow-graphs.js';
import { RunTimeline } from './run-timeline.js';
import { buildRunStateView } from './build-run-state-view.js';

/** Maximum size of the cached timelines, in characters. */
const MAX_CACHED_CHARACTERS = 64_000_000;
const CACHE_TTL_MS = 600_000;

/** Queries for past states of runs. */
@injectable()
export class RunStates {
  readonly #timelines = new LRUCache<string, RunTimeline>({
    max: 500,
    maxSize: MAX_CACHED_CHARACTERS,
    ttl: CACHE_TTL_MS,
    sizeCalculation: (timeline) => timeline.weight,
  });

  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(WorkflowGraphs) private readonly graphs: WorkflowGraphs,
  ) {}

  /**
   * Returns a run as it was just after an event. Returns the current state if `seq` is omitted or greater than the
   * number of the last event.
   *
   * @throws {ApiError} `run_not_found`; `not_supported_by_engine` if `seq` is given and histories cannot be replayed
   */
  async getStateAt(runId: string, seq?: number): Promise<RunStateView> {
    if (seq !== undefined) requireCapability(this.engine, 'time_travel');
    const { displayedRun: runRecord, state } = await this.runs.find(runId);
    // A timeline that was replayed before an erasure must not be used after it.
    const key = `${runId}:${state.erasedAt ?? 0}`;
    const timeline = this.#timelines.get(key) ?? new RunTimeline();
    this.#timelines.set(key, timeline);
    const moment = await timeline.getRunAt(Math.min(seq ?? state.seq, state.seq), {
      run: { runId, parent: state.parent },
      listEvents: (after, limit) => this.storage.listRunEvents(runId, after, limit),
      findGraph: (digest) => this.graphs.find(runRecord.workflowId, digest),
    });
    // The timeline may have grown, and the cache measures only new entries.
    this.#timelines.delete(key);
    this.#timelines.set(key, timeline);
    return runTimeSliced(buildRunStateView(runRecord, state, moment));
  }
}
