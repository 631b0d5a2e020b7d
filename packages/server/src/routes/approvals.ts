import type { Handlers } from '../app/route-context.js';
import { parseInstant } from './parse-instant.js';
import { toItemProblem } from './item-problem.js';
import { EMPTY_PAGE, toApprovalListRequest } from './approval-filter.js';
import { omitUndefined, toHandlerResult } from './runs.js';

export const approvalHandlers: Pick<
  Handlers,
  'listApprovals' | 'getApproval' | 'decideApproval' | 'decideApprovals' | 'delegateApproval' | 'reassignApproval'
> = {
  listApprovals: async ({ services, request, viewer }) => {
    const listRequest = toApprovalListRequest(request.query);
    return { body: listRequest === null ? EMPTY_PAGE : await services.app.approvals.list(listRequest, viewer) };
  },

  getApproval: async ({ services, request, viewer }) => ({
    body: await services.app.approvals.get(request.params.approvalId, viewer),
  }),

  decideApproval: async ({ services, request, caller }) => {
    const { decision, ...rest } = request.body;
    const commandResponse = await services.app.decideApproval.execute(
      { approvalId: request.params.approvalId, decision, ...omitUndefined(rest) },
      caller,
    );
    services.metrics.recordCommand('decideApproval');
    return toHandlerResult(commandResponse);
  },

  decideApprovals: async ({ services, request, caller }) => {
    const decisions = request.body.decisions.map(({ approvalId, decision, expectedDigest, ...rest }) => ({
      approvalId,
      decision,
      expectedDigest,
      ...omitUndefined(rest),
    }));
    const itemResults = await services.app.decideApprovals.execute(decisions, caller);
    for (const { ok } of itemResults) if (ok) services.metrics.recordCommand('decideApproval');
    const replayed =
      itemResults.some(({ ok }) => ok) && itemResults.every((each) => !each.ok || each.commandResponse.replayed);
    const results = itemResults.map(({ approvalId, ...each }) => {
      if (each.ok) return { approvalId, ok: true, approval: each.commandResponse.response, problem: null };
      return {
        approvalId,
        ok: false,
        approval: null,
        problem: toItemProblem(services, each.error, `/api/approvals/${approvalId}/decision`, caller.traceId),
      };
    });
    return { body: { results }, ...(replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
  },

  delegateApproval: async ({ services, request, caller }) => {
    const { to, until, allowUnknown } = request.body;
    const input = {
      approvalId: request.params.approvalId,
      to,
      ...(until === undefined ? {} : { until: parseInstant(until) }),
      ...omitUndefined({ allowUnknown }),
    };
    const commandResponse = await services.app.assignApproval.delegate(input, caller);
    services.metrics.recordCommand('delegateApproval');
    return toHandlerResult(commandResponse);
  },

  reassignApproval: async ({ services, request, caller }) => {
    const commandResponse = await services.app.assignApproval.reassign(
      { approvalId: request.params.approvalId, ...omitUndefined(request.body) },
      caller,
    );
    services.metrics.recordCommand('reassignApproval');
    return toHandlerResult(commandResponse);
  },
};
