import { inject, injectable } from 'inversify';
import { yieldToEventLoop } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import { EnginePort } from '../ports/engine.js';
import type { Count, FoundRun, Page, PageRequest, RunFilter, RunRecord } from '../ports/records.js';
import type { RunSnapshot } from '../ports/run-snapshot.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import { paginate } from './paginate.js';
import { runNotFoundError } from './errors.js';
import { StepHistory } from './step-history.js';
import { toArtifactView, type ArtifactView } from './views/artifact-view.js';
import { toRunDetailView, type RunDetailView } from './views/run-detail-view.js';
import { toRunView, type RunView } from './views/run-view.js';

/** Maximum number of runs that are counted. */
const MAX_COUNTED_RUNS = 10_000;
/** Length above which a state takes several milliseconds to parse, in characters. */
const LARGE_STATE_CHARACTERS = 500_000;

export interface RunListRequest extends PageRequest {
  readonly filter: Omit<RunFilter, 'stuckSince' | 'needsAttention'>;
  /** Whether to list only stuck runs: active, not waiting, and without progress for `Runs:StuckAfter`. */
  readonly stuck?: boolean;
  /** Whether to list only runs that have failed but not ended, so that they can be recovered, and stuck runs. */
  readonly needsAttention?: boolean;
}

export type PageView<T> = { items: T[]; nextCursor: string | null };

/** A run as of one event. */
export type LoadedRun = Omit<FoundRun, 'state'> & {
  readonly state: RunSnapshot;
  /** State as stored. If it is identical in a later read, the run has not changed. */
  readonly stateText: string;
};

/** Queries for runs, their details and their artifacts. */
@injectable()
export class RunQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StepHistory) private readonly history: StepHistory,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(ApplicationSettings) private readonly settings: ApplicationSettings,
  ) {}

  async list(request: RunListRequest): Promise<PageView<RunView>> {
    const page = await this.listRecords(request);
    return { items: page.items.map(toRunView), nextCursor: page.nextCursor };
  }

  /** Returns the records of the listed runs. */
  listRecords({ limit, cursor, ...request }: RunListRequest): Promise<Page<RunRecord>> {
    return this.storage.listRuns(this.#toStorageFilter(request), {
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
  }

  /** Returns the number of runs, up to a limit. */
  async count(request: Omit<RunListRequest, keyof PageRequest>): Promise<Count> {
    return this.storage.countRuns(this.#toStorageFilter(request), MAX_COUNTED_RUNS);
  }

  #toStorageFilter({ filter, stuck, needsAttention }: Omit<RunListRequest, keyof PageRequest>): RunFilter {
    const stuckSince = this.clock.now() - this.settings.stuckAfterMs;
    return {
      ...filter,
      ...(stuck === true ? { stuckSince } : {}),
      ...(needsAttention === true ? { needsAttention: { stuckSince } } : {}),
    };
  }

  /**
   * Returns a run with its steps, both as of the same event, so that the outcome and the steps always match.
   *
   * @throws {ApiError} `run_not_found`
   */
  async getDetail(runId: string): Promise<RunDetailView> {
    for (let projectedSeq = 0; ;) {
      const { displayedRun, state } = await this.find(runId);
      // Events folded by other readers were committed, unless the database was restored from a backup since.
      if (state.seq < projectedSeq) this.history.invalidate(state);
      const artifacts = state.hasArtifacts ? await this.storage.listArtifacts(runId) : [];
      const projection = await this.history.project(state);
      if (projection.seq === state.seq)
        return toRunDetailView(displayedRun, projection.inputs, state.variables, projection.listSteps(), artifacts);
      // Another reader has folded further. The next read is at least as recent, so one of the readers always makes
      // progress.
      projectedSeq = projection.seq;
    }
  }

  /** Returns all artifact versions of a run, newest first. */
  async listArtifacts(runId: string, page: PageRequest): Promise<PageView<ArtifactView>> {
    await this.find(runId);
    const all = [...(await this.storage.listArtifacts(runId))].reverse();
    const { items, nextCursor } = paginate(all, 'artifacts', (artifact) => artifact.artifactId, page);
    return { items: items.map(toArtifactView), nextCursor };
  }

  async find(runId: string): Promise<LoadedRun> {
    const found = await this.storage.findRun(runId);
    if (found === undefined) throw runNotFoundError(runId);
    if (found.state.length > LARGE_STATE_CHARACTERS) await yieldToEventLoop();
    return { ...found, stateText: found.state, state: this.engine.readState(found.state) };
  }
}
