import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { compileWorkflowsAside } from '@countersign/bpmn';
import { inTurns, type WorkflowGraph } from '@countersign/model';
import { StoragePort } from '../../ports/storage.js';
import { RunQueries } from '../run-queries.js';
import type { RunStateView } from '../views/run-state-view.js';
import { RunTimeline } from './run-timeline.js';
import { runStateView } from './build-run-state-view.js';

/** Maximum size of the cached timelines, in characters. */
const MAX_WEIGHT = 64_000_000;
const KEPT_MS = 600_000;

/** Queries for past states of runs. */
@injectable()
export class RunStates {
  readonly #timelines = new LRUCache<string, RunTimeline>({
    max: 500,
    maxSize: MAX_WEIGHT,
    ttl: KEPT_MS,
    sizeCalculation: (timeline) => timeline.weight,
  });
  readonly #graphs = new LRUCache<string, Promise<WorkflowGraph | undefined>>({ max: 100 });

  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /**
   * Returns a run as it was just after an event. Without a position, or with one in the future, returns the current
   * state.
   *
   * @throws {ApiError} `run_not_found`
   */
  async at(runId: string, seq?: number): Promise<RunStateView> {
    const { shown, state } = await this.runs.find(runId);
    // Histories replayed before an erasure are not shown after it.
    const key = `${runId}:${state.erasedAt ?? 0}`;
    const timeline = this.#timelines.get(key) ?? new RunTimeline();
    this.#timelines.set(key, timeline);
    const moment = await timeline.at(Math.min(seq ?? state.seq, state.seq), {
      run: { runId, parent: state.parent },
      events: (after, limit) => this.storage.listRunEvents(runId, after, limit),
      graph: (digest) => this.#graph(shown.workflowId, digest),
    });
    // The timeline may have grown, and the cache measures only new entries.
    this.#timelines.delete(key);
    this.#timelines.set(key, timeline);
    return inTurns(runStateView(shown, state, moment));
  }

  /** Returns the graph of a workflow version as deployed, which never changes. */
  #graph(workflowId: string, digest: string): Promise<WorkflowGraph | undefined> {
    const key = `${digest} ${workflowId}`;
    const known = this.#graphs.get(key);
    if (known !== undefined) return known;
    const compiled = this.#compile(workflowId, digest);
    this.#graphs.set(key, compiled);
    compiled.then(
      (graph) => graph === undefined && this.#graphs.delete(key),
      () => this.#graphs.delete(key),
    );
    return compiled;
  }

  async #compile(workflowId: string, digest: string): Promise<WorkflowGraph | undefined> {
    const record = await this.storage.findWorkflowByDigest(workflowId, digest);
    if (record === undefined) return undefined;
    const { workflows } = await compileWorkflowsAside(record.bpmnXml);
    return workflows.find(({ graph }) => graph.workflowId === workflowId)?.graph;
  }
}
