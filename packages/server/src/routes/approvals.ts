import type { CommentedLine as ContractLine } from '@countersign/contract';
import type { CommentedLine } from '@countersign/model';
import type { Handlers } from '../app/route-context.js';
import { parseInstant } from './parse-instant.js';
import { toItemProblem } from './item-problem.js';
import { EMPTY_PAGE, toApprovalListRequest } from './approval-filter.js';
import { omitUndefined, toHandlerResult } from './runs.js';

export const approvalHandlers: Pick<
  Handlers,
  | 'listApprovalComments'
  | 'commentOnApproval'
  | 'listApprovals'
  | 'getApproval'
  | 'decideApproval'
  | 'decideApprovals'
  | 'delegateApproval'
  | 'reassignApproval'
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

  listApprovalComments: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return {
      body: await services.app.approvalComments.list(request.params.approvalId, {
        limit,
        ...omitUndefined({ cursor }),
      }),
    };
  },

  commentOnApproval: async ({ services, request, caller }) => {
    const { text, replyTo, line } = request.body;
    const commandResponse = await services.app.approvalComments.add(
      {
        approvalId: request.params.approvalId,
        text,
        ...omitUndefined({ replyTo }),
        ...(line === undefined ? {} : { line: toCommentedLine(line) }),
      },
      caller,
    );
    services.metrics.recordCommand('commentOnApproval');
    return toHandlerResult(commandResponse, { status: 201 });
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

/** Returns a line without its `undefined` members. */
function toCommentedLine({ side, number, quote, ...text }: ContractLine): CommentedLine {
  return { side, number, quote, ...omitUndefined(text) };
}
