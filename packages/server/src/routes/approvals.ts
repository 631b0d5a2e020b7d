import type { Handlers } from '../app/route-context.js';
import { instantOf } from './instant-of.js';
import { itemProblem } from './item-problem.js';
import { defined, replyOf } from './runs.js';

export const approvalHandlers: Pick<
  Handlers,
  'listApprovals' | 'getApproval' | 'decideApproval' | 'decideApprovals' | 'delegateApproval' | 'reassignApproval'
> = {
  listApprovals: async ({ services, request, viewer }) => {
    const { limit, cursor, status, inbox, mine, dueBefore, runId, ...rest } = request.query;
    // The two filters exclude each other.
    if (mine === true && inbox !== undefined && inbox !== 'mine') return { body: { items: [], nextCursor: null } };
    const filter = {
      ...defined({ ...rest, calledFrom: runId }),
      ...(status === 'all' ? {} : { status }),
      ...(dueBefore === undefined ? {} : { dueBefore: instantOf(dueBefore) }),
    };
    return {
      body: await services.app.approvals.list(
        { filter, limit, ...defined({ cursor, inbox: mine === true ? 'mine' : inbox }) },
        viewer,
      ),
    };
  },

  getApproval: async ({ services, request, viewer }) => ({
    body: await services.app.approvals.get(request.params.approvalId, viewer),
  }),

  decideApproval: async ({ services, request, caller }) => {
    const { decision, ...rest } = request.body;
    const answer = await services.app.decideApproval.execute(
      { approvalId: request.params.approvalId, decision, ...defined(rest) },
      caller,
    );
    services.metrics.command('decideApproval');
    return replyOf(answer);
  },

  decideApprovals: async ({ services, request, caller }) => {
    const decisions = request.body.decisions.map(({ approvalId, decision, expectedDigest, ...rest }) => ({
      approvalId,
      decision,
      expectedDigest,
      ...defined(rest),
    }));
    const found = await services.app.decideApprovals.execute(decisions, caller);
    for (const { ok } of found) if (ok) services.metrics.command('decideApproval');
    const replayed = found.some(({ ok }) => ok) && found.every((each) => !each.ok || each.answer.replayed);
    const results = found.map(({ approvalId, ...each }) => {
      if (each.ok) return { approvalId, ok: true, approval: each.answer.response, problem: null };
      return {
        approvalId,
        ok: false,
        approval: null,
        problem: itemProblem(services, each.error, `/api/approvals/${approvalId}/decision`, caller.traceId),
      };
    });
    return { body: { results }, ...(replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
  },

  delegateApproval: async ({ services, request, caller }) => {
    const { to, until } = request.body;
    const input = {
      approvalId: request.params.approvalId,
      to,
      ...(until === undefined ? {} : { until: instantOf(until) }),
    };
    const answer = await services.app.assignApproval.delegate(input, caller);
    services.metrics.command('delegateApproval');
    return replyOf(answer);
  },

  reassignApproval: async ({ services, request, caller }) => {
    const answer = await services.app.assignApproval.reassign(
      { approvalId: request.params.approvalId, ...defined(request.body) },
      caller,
    );
    services.metrics.command('reassignApproval');
    return replyOf(answer);
  },
};
