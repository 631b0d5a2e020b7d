import { inject, injectable } from 'inversify';
import { type JsonObject, nextTurn, type RunState } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import type { Count, FoundRun, Page, PageRequest, RunFilter, RunRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import { pageOf } from './page-in-memory.js';
import { runNotFound } from './refuse.js';
import { StepHistory } from './step-history.js';
import { artifactView, type ArtifactView } from './views/artifact-view.js';
import { runDetailView, type RunDetailView } from './views/run-detail-view.js';
import { runView, type RunView } from './views/run-view.js';

/** Runs that are counted, at most. */
const MAX_COUNTED = 10_000;
/** In characters: what takes some ms to parse. */
const LARGE_STATE = 500_000;

export interface RunListRequest extends PageRequest {
  readonly filter: Omit<RunFilter, 'stuckSince'>;
  /** Only runs that are active, wait for nothing and have not moved for `Runs:StuckAfter`. */
  readonly stuck?: boolean;
}

export type PageView<T> = { items: T[]; nextCursor: string | null };

/** A run as it was at one event. */
export type RunAtOnce = Omit<FoundRun, 'state'> & {
  readonly state: RunState;
  /** As it is stored: as long as it is the same, nothing happened to the run. */
  readonly stateText: string;
};

/** Runs, their details and their artifacts. */
@injectable()
export class RunQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(StepHistory) private readonly history: StepHistory,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(ApplicationSettings) private readonly settings: ApplicationSettings,
  ) {}

  async list(request: RunListRequest): Promise<PageView<RunView>> {
    const page = await this.records(request);
    return { items: page.items.map(runView), nextCursor: page.nextCursor };
  }

  /** As they are shown. */
  records({ filter, stuck, limit, cursor }: RunListRequest): Promise<Page<RunRecord>> {
    return this.storage.listRuns(this.#asked(filter, stuck), { limit, ...(cursor === undefined ? {} : { cursor }) });
  }

  /** How many there are, as far as is cheap. */
  async count({ filter, stuck }: Pick<RunListRequest, 'filter' | 'stuck'>): Promise<Count> {
    return this.storage.countRuns(this.#asked(filter, stuck), MAX_COUNTED);
  }

  #asked(filter: RunListRequest['filter'], stuck: boolean | undefined): RunFilter {
    return stuck === true ? { ...filter, stuckSince: this.clock.now() - this.settings.stuckAfterMs } : filter;
  }

  /**
   * A run with its steps, both as of the same event: an outcome never stands beside steps that are older or newer.
   *
   * @throws {ApiError} `run_not_found`
   */
  async detail(runId: string): Promise<RunDetailView> {
    for (let folded = 0; ;) {
      const { shown, state } = await this.find(runId);
      // What others have folded was committed, unless the database went back to a backup since.
      if (state.seq < folded) this.history.forget(state);
      const artifacts = Object.keys(state.artifacts).length === 0 ? [] : await this.storage.listArtifacts(runId);
      const projection = await this.history.upTo(state);
      if (projection.seq === state.seq)
        return runDetailView(shown, projection.inputs, variablesOf(state), projection.ordered(), artifacts);
      // Another reader knows more by now. Whoever reads again is at least as far as that one, so somebody always gets on.
      folded = projection.seq;
    }
  }

  /** All versions, newest first. */
  async artifacts(runId: string, page: PageRequest): Promise<PageView<ArtifactView>> {
    await this.find(runId);
    const all = [...(await this.storage.listArtifacts(runId))].reverse();
    const { items, nextCursor } = pageOf(all, 'artifacts', (artifact) => artifact.artifactId, page);
    return { items: items.map(artifactView), nextCursor };
  }

  async find(runId: string): Promise<RunAtOnce> {
    const found = await this.storage.findRun(runId);
    if (found === undefined) throw runNotFound(runId);
    if (found.state.length > LARGE_STATE) await nextTurn();
    return { ...found, stateText: found.state, state: JSON.parse(found.state) as RunState };
  }
}

/** The variables of the process itself. */
export function variablesOf(state: RunState): JsonObject {
  return state.instances[state.root]?.variables ?? {};
}
