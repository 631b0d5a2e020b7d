import { inject, injectable } from 'inversify';
import type { PageRequest, RunRecord } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { RunQueries, type RunListRequest } from '../run-queries.js';
import {
  toBulkRunPlanView,
  type BulkExclusion,
  type BulkOperation,
  type BulkRunPlanView,
} from '../views/bulk-plan-view.js';

/** Selection of runs: listed ids, or the filter of a list. */
export type BulkRunSelection = { readonly runIds: readonly string[] } | Omit<RunListRequest, keyof PageRequest>;

/** Maximum number of runs in a plan, which is also the maximum that one request accepts. */
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
    let selectedRuns: RunRecord[] = [];
    let matched = 0;
    let truncated = false;
    for await (const { items, missing, hasMore } of this.#read(selection)) {
      for (const run of items) {
        const reason = findExclusion(operation, run);
        if (reason === undefined && selectedRuns.length === MAX_RUNS) truncated = true;
        if (truncated) break;
        matched += 1;
        if (reason === undefined) selectedRuns.push(run);
        else countExclusion(reason);
      }
      matched += missing;
      countExclusion('run_not_found', missing);
      if (truncated) break;
      truncated = hasMore;
    }
    if (operation === 'cancel') {
      const countBefore = selectedRuns.length;
      selectedRuns = await this.#withoutChildRuns(selectedRuns);
      countExclusion('cancelled_with_caller', countBefore - selectedRuns.length);
    }
    return toBulkRunPlanView(operation, selectedRuns, { matched, truncated, excluded });
  }

  /** Reads the selected runs in pages. `hasMore` is true if runs remain after the last page that is read. */
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

  /** Removes the child runs of other selected runs, because cancelling a run also cancels its child runs. */
  async #withoutChildRuns(selectedRuns: readonly RunRecord[]): Promise<RunRecord[]> {
    const parentByRun = new Map(selectedRuns.map(({ runId, parentRunId }) => [runId, parentRunId]));
    for (let depth = 0; depth < MAX_CALL_DEPTH; depth += 1) {
      const unknownRunIds = [...parentByRun.values()].filter(
        (ancestorId) => ancestorId !== null && !parentByRun.has(ancestorId),
      ) as string[];
      if (unknownRunIds.length === 0) break;
      const parentByUnknownRun = new Map(
        (await this.storage.findRuns([...new Set(unknownRunIds)])).map(({ runId, parentRunId }) => [
          runId,
          parentRunId,
        ]),
      );
      for (const runId of unknownRunIds) parentByRun.set(runId, parentByUnknownRun.get(runId) ?? null);
    }
    const selectedRunIds = new Set(selectedRuns.map(({ runId }) => runId));
    const hasSelectedAncestor = (runId: string): boolean => {
      for (
        let ancestorId = parentByRun.get(runId);
        ancestorId !== null && ancestorId !== undefined;
        ancestorId = parentByRun.get(ancestorId)
      )
        if (selectedRunIds.has(ancestorId)) return true;
      return false;
    };
    return selectedRuns.filter(({ runId }) => !hasSelectedAncestor(runId));
  }
}

/** Returns the reason why the run would refuse the operation, as far as list data shows it. */
function findExclusion(
  operation: BulkOperation,
  { outcome, cancelling, incidents }: RunRecord,
): BulkExclusion | undefined {
  if (outcome !== null) return 'run_already_ended';
  if (operation === 'cancel') return cancelling ? 'run_cancelling' : undefined;
  return incidents === 0 ? 'run_not_recoverable' : undefined;
}
