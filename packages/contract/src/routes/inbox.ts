import { defineRoute } from '../define-route.js';
import { listApprovalsQuerySchema } from '../schemas/approval-commands.js';
import { countInboxQuerySchema, inboxCountsSchema, inboxSchema } from '../schemas/inbox.js';
import { jsonResponse } from './json-response.js';

export const inboxRoutes = {
  listInbox: defineRoute({
    operationId: 'listInbox',
    method: 'get',
    path: '/api/inbox',
    tag: 'approvals',
    summary: 'List approvals as rows',
    description:
      'Takes the same filters as `GET /api/approvals` and returns the same approvals, without the inputs of their subjects. Use it for lists, and `approvalIds` to update the rows that have changed.',
    role: 'viewer',
    query: listApprovalsQuerySchema,
    responses: { 200: jsonResponse(inboxSchema, 'A page of approvals.') },
    errors: [],
  }),
  countInbox: defineRoute({
    operationId: 'countInbox',
    method: 'get',
    path: '/api/inbox/counts',
    tag: 'approvals',
    summary: 'Count approvals',
    description:
      'Takes the same filters as the list. The count is limited; beyond the limit, `total.exact` is false and only the counted approvals are included.',
    role: 'viewer',
    query: countInboxQuerySchema,
    responses: { 200: jsonResponse(inboxCountsSchema, 'The counts.') },
    errors: [],
  }),
};
