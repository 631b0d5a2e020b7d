import type { Handlers } from '../app/route-context.js';
import { toApprovalFilter } from './approval-filter.js';
import { omitUndefined } from './runs.js';

export const inboxHandlers: Pick<Handlers, 'listInbox' | 'countInbox'> = {
  listInbox: async ({ services, request, viewer }) => {
    const { limit, cursor } = request.query;
    const filter = toApprovalFilter(request.query);
    return {
      body:
        filter === null
          ? { items: [], nextCursor: null }
          : await services.app.approvals.listInbox({ ...filter, limit, ...omitUndefined({ cursor }) }, viewer),
    };
  },

  countInbox: async ({ services, request, viewer }) => {
    const filter = toApprovalFilter(request.query);
    return { body: await services.app.approvals.count(filter ?? { filter: { approvalIds: [] } }, viewer) };
  },
};
