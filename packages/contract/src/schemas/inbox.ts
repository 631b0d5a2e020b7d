import { z } from 'zod';
import { listApprovalsQuerySchema } from './approval-commands.js';
import { approvalSchema, toolCallSubjectSchema, userTaskSubjectSchema } from './approval.js';
import { timestampSchema } from './common.js';
import { buildListSchema } from './list.js';

const userTaskOutlineSchema = z
  .object(userTaskSubjectSchema.pick({ kind: true, evidence: true }).shape)
  .meta({ id: 'UserTaskOutline', description: 'A user task without its inputs and fields.' });
const toolCallOutlineSchema = z
  .object(
    toolCallSubjectSchema.pick({ kind: true, tool: true, effect: true, reversible: true, hosts: true, evidence: true })
      .shape,
  )
  .meta({ id: 'ToolCallOutline', description: 'A tool call without its arguments.' });

export const inboxItemSchema = approvalSchema
  .pick({
    approvalId: true,
    runId: true,
    workflowId: true,
    elementId: true,
    title: true,
    summary: true,
    businessKey: true,
    status: true,
    round: true,
    requestedAt: true,
    requestedBy: true,
    dueAt: true,
    resolvedAt: true,
    candidateUsers: true,
    candidateGroups: true,
    quorum: true,
    signatureRequired: true,
    riskLevel: true,
    digest: true,
    votedByCaller: true,
    inPlaceOf: true,
    canDecide: true,
  })
  .extend({
    previousApprovalId: approvalSchema.shape.previousApprovalId.optional().meta({
      description: 'The approval of the previous round. Omitted by servers before 0.1.0.',
    }),
    comments: z
      .object({
        count: z.int().min(0),
        lastAt: timestampSchema.nullable().meta({ description: 'Time of the last comment; `null` if there is none.' }),
        lastByOthersAt: timestampSchema.nullable().optional().meta({
          description:
            'Time of the last comment that the caller did not write; `null` if there is none. Omitted by servers before 0.1.0.',
        }),
      })
      .meta({ id: 'CommentCount' })
      .optional()
      .meta({
        description: 'The comments on the approval and on its earlier rounds. Omitted by servers before 0.1.0.',
      }),
    subject: z
      .discriminatedUnion('kind', [userTaskOutlineSchema, toolCallOutlineSchema])
      .meta({ id: 'SubjectOutline', description: 'The subject without its inputs and fields.' }),
  })
  .meta({
    id: 'InboxItem',
    description: 'An approval as a row of a list. `GET /api/approvals/{approvalId}` returns the whole approval.',
  });

export const inboxSchema = buildListSchema(inboxItemSchema, 'Inbox');

const valueCountsSchema = z
  .array(z.object({ value: z.string(), count: z.int().min(1) }))
  .meta({ id: 'ValueCounts', description: 'Most frequent first; at most 50.' });

export const inboxCountsSchema = z
  .object({
    total: z.object({
      count: z.int().min(0),
      exact: z.boolean().meta({
        description: '`false`: at least `count` approvals match, and only these are counted below.',
      }),
    }),
    workflows: valueCountsSchema,
    requesters: valueCountsSchema,
    groups: valueCountsSchema.meta({ description: 'The candidate groups, most frequent first; at most 50.' }),
  })
  .meta({
    id: 'InboxCounts',
    description: 'The number of approvals, and how often each workflow, requester and candidate group occurs.',
  });

export const countInboxQuerySchema = listApprovalsQuerySchema.omit({ limit: true, cursor: true, sort: true });

export type InboxItem = z.infer<typeof inboxItemSchema>;
export type InboxCounts = z.infer<typeof inboxCountsSchema>;
export type ValueCount = InboxCounts['workflows'][number];
