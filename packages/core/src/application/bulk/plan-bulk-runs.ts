import { inject, injectable } from 'inversify';
import type { RunRecord } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { RunQueries, type RunListRequest } from '../run-queries.js';
import {
  toBulkRunPlanView,
  type BulkExclusion,
  type BulkOperation,
  type BulkRunPlanView,
} from '../views/bulk-plan-view.js';

/** Selection of runs: listed ids, or the filter of a list. */
export type BulkRunSelection = { readonly runIds: readonly string[] } | Pick<RunListRequest, 'filter' | 'stuck'>;

/** Maximum number of runs that a plan names, which is what one request accepts. */
const MAX_RUNS = 1_000;

const PAGE_SIZE = 200;
/** Maximum number of pages that one plan reads; further runs are not considered. */
const MAX_PAGES = 50;
/** Maximum call depth that a plan follows, which is the engine's limit on nested calls. */
const MAX_CALL_DEPTH = 100;

/** Plans an operation on many runs from list data only, without loading the runs. */
@injectable()
export class PlanBulkRuns {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  async plan(operation: BulkOperation, selection: BulkRunSelection): Promise<BulkRunPlanView> {
    const excluded = new Map<BulkExclusion, number>();
    const countExclusion = (code: BulkExclusion, count = 1): void =>
      void (count > 0 && excluded.set(code, (excluded.get(code) ?? 0) + count));
    let chosen: RunRecord[] = [];
    let matched = 0;
    let truncated = false;
    for await (const { items, missing, hasMore } of this.#read(selection)) {
      for (const run of items) {
        const reason = findExclusion(operation, run);
        if (reason === undefined && chosen.length === MAX_RUNS) truncated = true;
        if (truncated) break;
        matched += 1;
        if (reason === undefined) chosen.push(run);
        else countExclusion(reason);
      }
      matched += missing;
      countExclusion('run_not_found', missing);
      if (truncated) break;
      truncated = hasMore;
    }
    if (operation === 'cancel') {
      const countBefore = chosen.length;
      chosen = await this.#withoutChildRuns(chosen);
      countExclusion('cancelled_with_caller', countBefore - chosen.length);
    }
    return toBulkRunPlanView(operation, chosen, { matched, truncated, excluded });
  }

  /** Reads the selected runs in pages. `hasMore`: whether runs remain after the last page that is read. */
  async *#read(
    selection: BulkRunSelection,
  ): AsyncGenerator<{ items: readonly RunRecord[]; missing: number; hasMore: boolean }> {
    if ('runIds' in selection) {
      const runIds = new Set(selection.runIds.map((runId) => runId.toLowerCase()));
      const items = await this.storage.findRuns([...runIds]);
      yield { items, missing: runIds.size - items.length, hasMore: false };
      return;
    }
    let cursor: string | undefined;
    for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
      const page = await this.runs.listRecords({
        ...selection,
        limit: PAGE_SIZE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      cursor = page.nextCursor ?? undefined;
      yield { items: page.items, missing: 0, hasMore: cursor !== undefined && pages === MAX_PAGES };
      if (cursor === undefined) return;
    }
  }

  /** Removes runs that another selected run called, because cancelling a run also cancels the runs that it called. */
  async #withoutChildRuns(chosen: readonly RunRecord[]): Promise<RunRecord[]> {
    const parentByRun = new Map(chosen.map(({ runId, parentRunId }) => [runId, parentRunId]));
    for (let depth = 0; depth < MAX_CALL_DEPTH; depth += 1) {
      const unknown = [...parentByRun.values()].filter(
        (caller) => caller !== null && !parentByRun.has(caller),
      ) as string[];
      if (unknown.length === 0) break;
      const found = new Map(
        (await this.storage.findRuns([...new Set(unknown)])).map(({ runId, parentRunId }) => [runId, parentRunId]),
      );
      for (const runId of unknown) parentByRun.set(runId, found.get(runId) ?? null);
    }
    const ids = new Set(chosen.map(({ runId }) => runId));
    const hasSelectedAncestor = (runId: string): boolean => {
      for (
        let caller = parentByRun.get(runId);
        caller !== null && caller !== undefined;
        caller = parentByRun.get(caller)
      )
        if (ids.has(caller)) return true;
      return false;
    };
    return chosen.filter(({ runId }) => !hasSelectedAncestor(runId));
  }
}

/** Returns why the run would refuse the operation, as far as list data shows. */
function findExclusion(
  operation: BulkOperation,
  { outcome, cancelling, incidents }: RunRecord,
): BulkExclusion | undefined {
  if (outcome !== null) return 'run_already_ended';
  if (operation === 'cancel') return cancelling ? 'run_cancelling' : undefined;
  return incidents === 0 ? 'run_not_recoverable' : undefined;
}
