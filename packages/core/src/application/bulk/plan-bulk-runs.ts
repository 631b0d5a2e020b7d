import { inject, injectable } from 'inversify';
import type { RunRecord } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { RunQueries, type RunListRequest } from '../run-queries.js';
import {
  bulkRunPlanView,
  type BulkExclusion,
  type BulkOperation,
  type BulkRunPlanView,
} from '../views/bulk-plan-view.js';

/** Selection of runs: listed ids, or the filter of a list. */
export type BulkRuns = { readonly runIds: readonly string[] } | Pick<RunListRequest, 'filter' | 'stuck'>;

/** Maximum number of runs that a plan names, which is what one request accepts. */
const MAX_RUNS = 1_000;

const PAGE = 200;
/** Maximum number of pages that one plan reads; further runs are not considered. */
const MAX_PAGES = 50;
/** Maximum call depth that a plan follows, which is the engine's limit on nested calls. */
const MAX_CALLERS = 100;

/** Plans an operation on many runs from list data only, without loading the runs. */
@injectable()
export class PlanBulkRuns {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  async plan(operation: BulkOperation, meant: BulkRuns): Promise<BulkRunPlanView> {
    const excluded = new Map<BulkExclusion, number>();
    const exclude = (code: BulkExclusion, count = 1): void =>
      void (count > 0 && excluded.set(code, (excluded.get(code) ?? 0) + count));
    let chosen: RunRecord[] = [];
    let matched = 0;
    let truncated = false;
    for await (const { items, missing, more } of this.#read(meant)) {
      for (const run of items) {
        const reason = exclusionOf(operation, run);
        if (reason === undefined && chosen.length === MAX_RUNS) truncated = true;
        if (truncated) break;
        matched += 1;
        if (reason === undefined) chosen.push(run);
        else exclude(reason);
      }
      matched += missing;
      exclude('run_not_found', missing);
      if (truncated) break;
      truncated = more;
    }
    if (operation === 'cancel') {
      const before = chosen.length;
      chosen = await this.#withoutCalled(chosen);
      exclude('cancelled_with_caller', before - chosen.length);
    }
    return bulkRunPlanView(operation, chosen, { matched, truncated, excluded });
  }

  /** Reads the selected runs in pages. `more`: whether runs remain after the last page that is read. */
  async *#read(meant: BulkRuns): AsyncGenerator<{ items: readonly RunRecord[]; missing: number; more: boolean }> {
    if ('runIds' in meant) {
      const runIds = new Set(meant.runIds.map((runId) => runId.toLowerCase()));
      const items = await this.storage.findRuns([...runIds]);
      yield { items, missing: runIds.size - items.length, more: false };
      return;
    }
    let cursor: string | undefined;
    for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
      const page = await this.runs.records({ ...meant, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
      cursor = page.nextCursor ?? undefined;
      yield { items: page.items, missing: 0, more: cursor !== undefined && pages === MAX_PAGES };
      if (cursor === undefined) return;
    }
  }

  /** Removes runs that another selected run called, because cancelling a run also cancels the runs that it called. */
  async #withoutCalled(chosen: readonly RunRecord[]): Promise<RunRecord[]> {
    const callers = new Map(chosen.map(({ runId, parentRunId }) => [runId, parentRunId]));
    for (let calls = 0; calls < MAX_CALLERS; calls += 1) {
      const unknown = [...callers.values()].filter((caller) => caller !== null && !callers.has(caller)) as string[];
      if (unknown.length === 0) break;
      const found = new Map(
        (await this.storage.findRuns([...new Set(unknown)])).map(({ runId, parentRunId }) => [runId, parentRunId]),
      );
      for (const runId of unknown) callers.set(runId, found.get(runId) ?? null);
    }
    const ids = new Set(chosen.map(({ runId }) => runId));
    const isTaken = (runId: string): boolean => {
      for (let caller = callers.get(runId); caller !== null && caller !== undefined; caller = callers.get(caller))
        if (ids.has(caller)) return true;
      return false;
    };
    return chosen.filter(({ runId }) => !isTaken(runId));
  }
}

/** Returns why the run would refuse the operation, as far as list data shows. */
function exclusionOf(
  operation: BulkOperation,
  { outcome, cancelling, incidents }: RunRecord,
): BulkExclusion | undefined {
  if (outcome !== null) return 'run_already_ended';
  if (operation === 'cancel') return cancelling ? 'run_cancelling' : undefined;
  return incidents === 0 ? 'run_not_recoverable' : undefined;
}
