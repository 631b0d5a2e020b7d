import type { Handlers } from '../app/exchange.js';
import { refusal } from '../app/problem.js';
import { defined, replyOf } from './runs.js';

export const approvalHandlers: Pick<Handlers, 'listApprovals' | 'getApproval' | 'decideApproval' | 'decideApprovals' | 'delegateApproval' | 'reassignApproval'> = {
  listApprovals: async ({ services, request, viewer }) => {
    const { limit, cursor, status, inbox, mine, dueBefore, ...rest } = request.query;
    if (inbox !== undefined) throw refusal('service_unavailable', 'Inboxes are not served yet.');
    const filter = {
      ...defined(rest),
      ...(status === 'all' ? {} : { status }),
      ...(dueBefore === undefined ? {} : { dueBefore: Date.parse(dueBefore) }),
    };
    return { body: await services.app.approvals.list({ filter, limit, ...defined({ cursor, mine }) }, viewer) };
  },

  getApproval: async ({ services, request, viewer }) => ({ body: await services.app.approvals.get(request.params.approvalId, viewer) }),

  decideApproval: async ({ services, request, caller }) => {
    const { decision, ...rest } = request.body;
    const answer = await services.app.decideApproval.execute({ approvalId: request.params.approvalId, decision, ...defined(rest) }, caller);
    services.metrics.command('decideApproval');
    return replyOf(answer);
  },

  decideApprovals: async () => Promise.reject(refusal('service_unavailable', 'Approvals are not decided together yet.')),

  delegateApproval: async ({ services, request, caller }) => {
    const { to, until } = request.body;
    const input = { approvalId: request.params.approvalId, to, ...(until === undefined ? {} : { until: Date.parse(until) }) };
    const answer = await services.app.assignApproval.delegate(input, caller);
    services.metrics.command('delegateApproval');
    return replyOf(answer);
  },

  reassignApproval: async ({ services, request, caller }) => {
    const answer = await services.app.assignApproval.reassign({ approvalId: request.params.approvalId, ...defined(request.body) }, caller);
    services.metrics.command('reassignApproval');
    return replyOf(answer);
  },
};
