import type { Handlers } from '../app/route-context.js';
import { EMPTY_PAGE, toApprovalFilter, toApprovalListRequest } from './approval-filter.js';

export const inboxHandlers: Pick<Handlers, 'listInbox' | 'countInbox'> = {
  listInbox: async ({ services, request, viewer }) => {
    const listRequest = toApprovalListRequest(request.query);
    return { body: listRequest === null ? EMPTY_PAGE : await services.app.approvals.listInbox(listRequest, viewer) };
  },

  countInbox: async ({ services, request, viewer }) => {
    const filter = toApprovalFilter(request.query);
    return { body: await services.app.approvals.count(filter ?? { filter: { approvalIds: [] } }, viewer) };
  },
};
