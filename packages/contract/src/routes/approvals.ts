import { defineRoute } from '../define-route.js';
import {
  bulkDecisionsBodySchema,
  bulkDecisionsResultSchema,
  decisionBodySchema,
  delegateBodySchema,
  listApprovalsQuerySchema,
  reassignBodySchema,
} from '../schemas/approval-commands.js';
import {
  approvalCommentListSchema,
  approvalCommentSchema,
  commentBodySchema,
  listCommentsQuerySchema,
} from '../schemas/approval-comment.js';
import { approvalListSchema, approvalSchema } from '../schemas/approval.js';
import { approvalParams } from './params.js';
import { jsonResponse } from './json-response.js';

const approvalRoute = { tag: 'approvals', params: approvalParams, notFound: 'approval_not_found' } as const;

export const approvalRoutes = {
  listApprovals: defineRoute({
    operationId: 'listApprovals',
    method: 'get',
    path: '/api/approvals',
    tag: 'approvals',
    summary: 'List approvals',
    description: 'Returns the pending approvals by default, newest first.',
    role: 'viewer',
    query: listApprovalsQuerySchema,
    responses: { 200: jsonResponse(approvalListSchema, 'A page of approvals.') },
    errors: [],
  }),
  getApproval: defineRoute({
    ...approvalRoute,
    operationId: 'getApproval',
    method: 'get',
    path: '/api/approvals/{approvalId}',
    summary: 'Get an approval',
    role: 'viewer',
    responses: { 200: jsonResponse(approvalSchema, 'The approval.') },
    errors: [],
  }),
  decideApproval: defineRoute({
    ...approvalRoute,
    operationId: 'decideApproval',
    method: 'post',
    path: '/api/approvals/{approvalId}/decision',
    summary: 'Vote on an approval',
    description:
      'Records a vote on exactly the subject that `expectedDigest` names. The first rejection or request for changes resolves the approval; otherwise it is resolved when the quorum approves. ' +
      'The voter is the user of the token. If `signatureRequired` is true, only a vote with a `signature` counts.',
    role: 'approver',
    body: decisionBodySchema,
    requestExamples: {
      approve: {
        summary: 'Approve the displayed subject',
        value: { decision: 'approve', expectedDigest: `sha256:${'3f'.repeat(32)}` },
      },
      reject: { summary: 'Reject', value: { decision: 'reject', comment: 'Not in the week of the audit.' } },
      edit: {
        summary: 'Approve a tool call with edited arguments',
        value: { decision: 'approve', editedArguments: { labels: ['bug'] }, comment: 'No priority yet.' },
      },
      requestChanges: {
        summary: 'Request changes',
        value: { decision: 'request_changes', comment: 'Name the migration in the notes.', round: 1 },
      },
    },
    responses: { 200: jsonResponse(approvalSchema, 'The approval with the vote.') },
    errors: [
      'self_approval',
      'not_a_candidate',
      'service_cannot_decide',
      'approval_already_resolved',
      'already_voted',
      'stale_digest',
      'stale_round',
      'comment_required',
      'rework_not_possible',
      'edit_not_possible',
      'policy_denied',
      'digest_required',
      'signature_required',
      'signature_invalid',
      'signature_expired',
      'signing_key_unknown',
      'signing_key_revoked',
      'conflict',
      'not_supported_by_engine',
    ],
    idempotent: true,
  }),
  decideApprovals: defineRoute({
    operationId: 'decideApprovals',
    method: 'post',
    path: '/api/approvals/decisions',
    tag: 'approvals',
    summary: 'Vote on several approvals of one kind',
    description:
      'Only for approvals of low risk that the same element of the same workflow requested (for tool calls: of the same tool). Otherwise the response is 422 `bulk_not_allowed`, and no vote is recorded. ' +
      'Each vote is separate, has its own result, and applies to exactly the subject that its `expectedDigest` names.',
    role: 'approver',
    body: bulkDecisionsBodySchema,
    responses: {
      200: jsonResponse(bulkDecisionsResultSchema, 'The result of each vote, in the order of the request.'),
    },
    errors: ['bulk_not_allowed'],
    idempotent: true,
  }),
  listApprovalComments: defineRoute({
    ...approvalRoute,
    operationId: 'listApprovalComments',
    method: 'get',
    path: '/api/approvals/{approvalId}/comments',
    summary: 'List the comments on an approval',
    description: 'Returns the comments on the approval and on its earlier rounds, oldest first.',
    role: 'viewer',
    query: listCommentsQuerySchema,
    responses: { 200: jsonResponse(approvalCommentListSchema, 'A page of comments.') },
    errors: [],
  }),
  commentOnApproval: defineRoute({
    ...approvalRoute,
    operationId: 'commentOnApproval',
    method: 'post',
    path: '/api/approvals/{approvalId}/comments',
    summary: 'Comment on an approval',
    description:
      'Adds a comment without a vote, also if the approval is resolved or the run has ended. It cannot be changed. It is part of the history of the run, but not of its data: neither the workflow nor an agent reads it, and its author may still vote. A discussion, with all its rounds, has at most 1,000 comments and 1,000,000 characters; one author can add a fifth of both.',
    role: 'operator',
    body: commentBodySchema,
    requestExamples: {
      comment: { summary: 'Ask the requester', value: { text: 'Which contract does this invoice belong to?' } },
      line: {
        summary: 'Comment on a line of a patch',
        value: {
          text: 'Should this not be the new account?',
          line: { pointer: '/inputs/patch', file: 'accounts.csv', side: 'after', number: 12, quote: '4711;ACME' },
        },
      },
    },
    responses: { 201: jsonResponse(approvalCommentSchema, 'The comment.') },
    errors: [
      'too_many_comments',
      'too_many_own_comments',
      'discussion_too_long',
      'conflict',
      'not_supported_by_engine',
    ],
    idempotent: true,
  }),
  delegateApproval: defineRoute({
    ...approvalRoute,
    operationId: 'delegateApproval',
    method: 'post',
    path: '/api/approvals/{approvalId}/delegate',
    summary: 'Delegate an approval',
    description:
      'Lets another user vote in your place, if you may vote yourself. A user who has never signed in is refused (`unknown_user`) unless `allowUnknown` is `true`.',
    role: 'approver',
    body: delegateBodySchema,
    responses: { 200: jsonResponse(approvalSchema, 'The approval with the delegation.') },
    errors: [
      'self_approval',
      'not_a_candidate',
      'service_cannot_decide',
      'approval_already_resolved',
      'already_voted',
      'conflict',
      'not_supported_by_engine',
    ],
    idempotent: true,
  }),
  reassignApproval: defineRoute({
    ...approvalRoute,
    operationId: 'reassignApproval',
    method: 'post',
    path: '/api/approvals/{approvalId}/reassign',
    summary: 'Reassign an approval',
    description:
      'Replaces the candidate users and groups. Added users who have never signed in, and groups that no such user has, are refused (`unknown_user`, `unknown_group`) unless `allowUnknown` is `true`.',
    role: 'admin',
    body: reassignBodySchema,
    responses: { 200: jsonResponse(approvalSchema, 'The approval with its new candidates.') },
    errors: ['approval_already_resolved', 'conflict', 'not_supported_by_engine'],
    idempotent: true,
  }),
};
