import { APPROVAL_STATUSES } from '@countersign/model';
import { z } from 'zod';
import { MAX_APPROVAL_IDS } from '../limits.js';
import { approvalSchema, decisionSchema, shownEvidenceSchema } from './approval.js';
import {
  commentSchema,
  digestSchema,
  idSchema,
  jsonObjectSchema,
  principalSchema,
  timestampInputSchema,
  workflowIdSchema,
} from './common.js';
import { identitySchema } from './identity.js';
import { allowUnknownSchema } from './people.js';
import { riskLevelSchema } from './policy-decision.js';
import { problemSchema } from './problem.js';
import { pageQueryShape, queryBoolean, searchSchema } from './query.js';
import { signedStatementSchema } from './signing-key.js';

const decisionShape = {
  decision: decisionSchema,
  comment: commentSchema.optional().meta({ description: 'Required for `request_changes`.' }),
  expectedDigest: digestSchema
    .optional()
    .meta({ description: 'The digest that was displayed; if it has changed, the response is 409 `stale_digest`.' }),
  editedArguments: jsonObjectSchema.optional().meta({
    description:
      'With `approve` of a tool call: approves the call with these arguments instead of those of the agent. They are validated and evaluated by the policy like those of the agent. The edit and its author are recorded.',
  }),
  round: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'The round that was displayed; if it has changed, the response is 409 `stale_round`.' }),
  signature: signedStatementSchema.optional().meta({
    description:
      'A compact JWS (RFC 7515) signed with a key of yours, `typ` `countersign-vote+jws`, over the RFC 8785 form of {server, runId, approvalId, round, decision, commentDigest, subjectDigest, keyId, at}. ' +
      'Not allowed with `editedArguments`: they open a new approval, which is signed separately.',
  }),
};

/** Maximum number of evidence items that a vote reports as displayed; no subject has more. */
const MAX_SHOWN_EVIDENCE = 1_000;

const shownEvidenceListSchema = z
  .array(shownEvidenceSchema)
  .max(MAX_SHOWN_EVIDENCE)
  .refine(
    (shown) => new Set(shown.map(({ name }) => name)).size === shown.length,
    'Name each piece of evidence at most once.',
  )
  .meta({
    description:
      'The evidence of the subject that was displayed to the voter, and how much of it; an empty list means none. Recorded with the vote. An item that is not evidence of the subject is refused with 422. Not allowed with `editedArguments`, which create another subject.',
  });

/** The schema does not check whether a required comment is present: that is a separate rule (`comment_required`). */
export const decisionBodySchema = z.strictObject({ ...decisionShape, shown: shownEvidenceListSchema.optional() }).meta({
  id: 'DecideApproval',
  example: { decision: 'approve', comment: 'Looks right.', expectedDigest: `sha256:${'3f'.repeat(32)}` },
});

export const delegateBodySchema = z
  .strictObject({
    to: identitySchema.meta({ description: 'The user who may vote in your place.' }),
    until: timestampInputSchema.optional().meta({ description: 'Default: no end.' }),
    allowUnknown: allowUnknownSchema,
  })
  .meta({ id: 'DelegateApproval' });

export const reassignBodySchema = z
  .strictObject({
    candidateUsers: z.array(identitySchema).max(100).optional(),
    candidateGroups: z.array(identitySchema).max(100).optional(),
    comment: commentSchema.optional(),
    allowUnknown: allowUnknownSchema,
  })
  .refine(
    (body) => (body.candidateUsers?.length ?? 0) + (body.candidateGroups?.length ?? 0) > 0,
    'Name at least one user or group.',
  )
  .meta({ id: 'ReassignApproval', description: 'Replaces the candidates. At least one user or group.' });

const bulkDecisionSchema = z.strictObject({
  approvalId: idSchema,
  decision: decisionSchema,
  comment: decisionShape.comment,
  expectedDigest: digestSchema.meta({ description: 'The digest that was displayed.' }),
  round: decisionShape.round,
  signature: decisionShape.signature,
  shown: shownEvidenceListSchema.optional().meta({
    description:
      'The evidence of this subject that was displayed to the voter, and how much of it; an empty list means none. Recorded with the vote. If an item is evidence of another subject, only this vote is refused.',
  }),
});

export const bulkDecisionsBodySchema = z
  .strictObject({
    decisions: z.array(bulkDecisionSchema).min(1).max(100).meta({ description: 'Each approval at most once.' }),
  })
  .meta({ id: 'DecideApprovals' });

export const bulkDecisionsResultSchema = z
  .object({
    results: z.array(
      z.object({
        approvalId: idSchema,
        ok: z.boolean(),
        approval: approvalSchema.nullable(),
        problem: problemSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'DecideApprovalsResult' });

export const APPROVAL_SORTS = Object.freeze(['newest', 'due', 'risk', 'urgency'] as const);
export const INBOX_FILTERS = Object.freeze(['mine', 'others', 'decided'] as const);

const APPROVAL_IDS = new RegExp(
  String.raw`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:,[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}){0,${MAX_APPROVAL_IDS - 1}}$`,
);

export const listApprovalsQuerySchema = z.strictObject({
  ...pageQueryShape,
  status: z.enum([...APPROVAL_STATUSES, 'all']).default('pending'),
  mine: queryBoolean()
    .optional()
    .meta({ description: '`true`: approvals on which the caller may vote now, the same as `inbox=mine`.' }),
  inbox: z.enum(INBOX_FILTERS).optional().meta({
    description:
      'Selects approvals from the perspective of the caller. `mine`: pending, and the caller may vote and has not voted yet. `others`: pending, and not `mine`. `decided`: the caller has voted (combine with `status`: `pending` for approvals that need further votes, `all` for all).',
  }),
  runId: idSchema.optional().meta({ description: 'Approvals of this run and its child runs.' }),
  workflowId: workflowIdSchema.optional(),
  riskLevel: riskLevelSchema.optional(),
  dueBefore: timestampInputSchema.optional(),
  requestedBy: principalSchema.optional().meta({ description: 'The user or service that started the run.' }),
  candidateGroup: identitySchema.optional(),
  approvalIds: z
    .string()
    .regex(APPROVAL_IDS, `Must be at most ${MAX_APPROVAL_IDS} ids, separated by commas.`)
    .optional()
    .meta({ description: `At most ${MAX_APPROVAL_IDS} ids, separated by commas.` }),
  q: searchSchema.optional().meta({
    description:
      'Text that an id, the title, the description, the business key, the requester or the subject contains; case-insensitive. Of a long subject, only the beginning is searched.',
  }),
  sort: z.enum(APPROVAL_SORTS).default('newest').meta({
    description:
      '`due`: earliest first, approvals without `dueAt` last. `risk`: highest first. `urgency`: highest risk first, then earliest due. With `inbox=decided`, only `newest` is allowed.',
  }),
});

export type DecisionBody = z.infer<typeof decisionBodySchema>;
export type DelegateBody = z.infer<typeof delegateBodySchema>;
export type ReassignBody = z.infer<typeof reassignBodySchema>;
export type BulkDecisionsBody = z.infer<typeof bulkDecisionsBodySchema>;
export type BulkDecisionsResult = z.infer<typeof bulkDecisionsResultSchema>;
/** The filters after validation, with defaults. */
export type ListApprovalsQuery = z.output<typeof listApprovalsQuerySchema>;
