import type { BulkCancelBody, BulkRunResult as BulkRunAnswer, ListRunsQuery, Routes } from '@countersign/contract';
import type { BulkRunResult, BulkRunsInput, Caller, MeantRuns } from '@countersign/core';
import type { Handlers, HandlerResult } from '../app/route-context.js';
import type { Services } from '../app/services.js';
import { itemProblem } from './item-problem.js';
import { runFilterOf } from './runs.js';

export const bulkRunHandlers: Pick<Handlers, 'bulkCancelRuns' | 'bulkRecoverRuns'> = {
  bulkCancelRuns: async ({ services, request, caller }) => {
    const meant = meantRuns(request.body);
    if (request.query.dryRun) return { body: await services.app.bulkRuns.plan('cancel', meant) };
    return carriedOut(services, { operation: 'cancel', reason: request.body.reason }, meant, caller);
  },

  bulkRecoverRuns: async ({ services, request, caller }) => {
    const meant = meantRuns(request.body);
    if (request.query.dryRun) return { body: await services.app.bulkRuns.plan('recover', meant) };
    return carriedOut(services, { operation: 'recover', comment: request.body.comment }, meant, caller);
  },
};

function meantRuns({
  runIds,
  filter,
}: Pick<BulkCancelBody, 'runIds'> & { filter?: Omit<ListRunsQuery, 'limit' | 'cursor'> | undefined }): MeantRuns {
  return { runIds, filter: filter === undefined ? undefined : runFilterOf(filter) };
}

async function carriedOut(
  services: Services,
  input: BulkRunsInput,
  meant: MeantRuns,
  caller: Caller,
): Promise<HandlerResult<Routes['bulkCancelRuns'] | Routes['bulkRecoverRuns']>> {
  const results = await services.app.bulkRuns.execute(input, meant, caller);
  for (const { ok } of results)
    if (ok) services.metrics.command(input.operation === 'cancel' ? 'cancelRun' : 'recoverRun');
  const succeeded = results.filter(({ ok }) => ok).length;
  // The response is a replay only if every success was replayed.
  const replayed = succeeded > 0 && results.every((each) => !each.ok || each.answer.replayed);
  const body: BulkRunAnswer = {
    operation: input.operation,
    succeeded,
    failed: results.length - succeeded,
    results: results.map((each) => itemOf(services, each, caller.traceId)),
  };
  return { body, ...(replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}

function itemOf(services: Services, result: BulkRunResult, traceId: string | null): BulkRunAnswer['results'][number] {
  const { runId } = result;
  if (result.ok) {
    const { status, outcome } = result.answer.response;
    return { runId, ok: true, status, outcome, error: null };
  }
  const { code, detail, retryable } = itemProblem(services, result.error, `/api/runs/${runId}`, traceId);
  return { runId, ok: false, status: null, outcome: null, error: { code, detail: detail ?? '', retryable } };
}
