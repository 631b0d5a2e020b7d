import type { BulkCancelBody, BulkRunResult as BulkRunsResponse, ListRunsQuery, Routes } from '@countersign/contract';
import type { BulkRunResult, BulkRunsInput, Caller, RunSelection } from '@countersign/core';
import type { Handlers, HandlerResult } from '../app/route-context.js';
import type { Services } from '../app/services.js';
import { toItemProblem } from './item-problem.js';
import { toRunFilter } from './runs.js';

export const bulkRunHandlers: Pick<Handlers, 'bulkCancelRuns' | 'bulkRecoverRuns'> = {
  bulkCancelRuns: async ({ services, request, caller }) => {
    const selection = toRunSelection(request.body);
    if (request.query.dryRun) return { body: await services.app.bulkRuns.plan('cancel', selection) };
    return executeBulk(services, { operation: 'cancel', reason: request.body.reason }, selection, caller);
  },

  bulkRecoverRuns: async ({ services, request, caller }) => {
    const selection = toRunSelection(request.body);
    if (request.query.dryRun) return { body: await services.app.bulkRuns.plan('recover', selection) };
    return executeBulk(services, { operation: 'recover', comment: request.body.comment }, selection, caller);
  },
};

function toRunSelection({
  runIds,
  filter,
}: Pick<BulkCancelBody, 'runIds'> & { filter?: Omit<ListRunsQuery, 'limit' | 'cursor'> | undefined }): RunSelection {
  return { runIds, filter: filter === undefined ? undefined : toRunFilter(filter) };
}

async function executeBulk(
  services: Services,
  input: BulkRunsInput,
  selection: RunSelection,
  caller: Caller,
): Promise<HandlerResult<Routes['bulkCancelRuns'] | Routes['bulkRecoverRuns']>> {
  const results = await services.app.bulkRuns.execute(input, selection, caller);
  for (const { ok } of results)
    if (ok) services.metrics.recordCommand(input.operation === 'cancel' ? 'cancelRun' : 'recoverRun');
  const succeeded = results.filter(({ ok }) => ok).length;
  // The response is a replay only if every success was replayed.
  const replayed = succeeded > 0 && results.every((each) => !each.ok || each.commandResponse.replayed);
  const body: BulkRunsResponse = {
    operation: input.operation,
    succeeded,
    failed: results.length - succeeded,
    results: results.map((each) => toItemResult(services, each, caller.traceId)),
  };
  return { body, ...(replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}

function toItemResult(
  services: Services,
  result: BulkRunResult,
  traceId: string | null,
): BulkRunsResponse['results'][number] {
  const { runId } = result;
  if (result.ok) {
    const { status, outcome } = result.commandResponse.response;
    return { runId, ok: true, status, outcome, error: null };
  }
  const { code, detail, retryable } = toItemProblem(services, result.error, `/api/runs/${runId}`, traceId);
  return { runId, ok: false, status: null, outcome: null, error: { code, detail: detail ?? '', retryable } };
}
