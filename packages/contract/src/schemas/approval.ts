import { APPROVAL_DECISIONS, APPROVAL_STATUSES } from '@countersign/model';
import { z } from 'zod';
import { artifactNameSchema } from './artifact.js';
import {
  digestSchema,
  elementIdSchema,
  hashSchema,
  idSchema,
  jsonObjectSchema,
  principalSchema,
  timestampSchema,
  versionSchema,
  workflowIdSchema,
} from './common.js';
import { awaySchema } from './absence.js';
import { listOf } from './list.js';
import { riskFactorSchema, riskLevelSchema } from './policy-decision.js';
import { keyIdSchema } from './signing-key.js';

export const approvalStatusSchema = z.enum(APPROVAL_STATUSES).meta({ id: 'ApprovalStatus' });
export const decisionSchema = z.enum(APPROVAL_DECISIONS).meta({ id: 'Decision' });

export const shownEvidenceSchema = z
  .strictObject({
    name: artifactNameSchema,
    sha256: hashSchema.meta({ description: 'Of the version that was shown.' }),
    percent: z.int().min(0).max(100).meta({
      description: 'How much of it was in view, from its beginning: 100 is all of it. 0 where it was only downloaded.',
    }),
    downloaded: z.boolean().meta({ description: 'Whether the person took the file.' }),
  })
  .meta({
    id: 'ShownEvidence',
    description: 'A piece of evidence that was shown to whoever decides, and how much of it.',
  });

const recordedShownSchema = z
  .object({
    ...shownEvidenceSchema.shape,
    name: z.string().nullable().meta({ description: '`null` where it was erased.' }),
  })
  .meta({
    id: 'RecordedShownEvidence',
    description: 'A piece of evidence that was shown to the voter, as recorded with the vote.',
  });

export const voteSchema = z
  .object({
    voteId: idSchema,
    decision: decisionSchema,
    comment: z.string().nullable(),
    by: principalSchema,
    byName: z.string().nullable(),
    askedAs: z.array(z.string()).optional().meta({
      description:
        'The names of `candidateUsers`, beside the subject, that mean the voter or, with `inPlaceOf`, whose vote it is.',
    }),
    inPlaceOf: principalSchema.nullable().meta({
      description:
        'Whose vote it is, where somebody else cast it for them: by a delegation, or as the substitute of who was away.',
    }),
    at: timestampSchema,
    digest: digestSchema.meta({ description: 'Of the subject that was decided on.' }),
    signature: z.string().nullable().meta({
      description: 'The statement that the approver has signed, as a compact JWS; `null` where none was given.',
    }),
    keyId: keyIdSchema.nullable().meta({ description: 'Of the key that it is signed with.' }),
    shown: z.array(recordedShownSchema).optional().meta({
      description:
        'The evidence that was shown to the voter, as their client reported it; left out where it reported nothing.',
    }),
    counts: z.literal(false).optional().meta({
      description:
        'Present if the vote no longer counts towards the quorum: its voter, or the person in whose place it was cast, has contributed to the data of the run since.',
    }),
  })
  .meta({ id: 'Vote' });

/**
 * Loose on purpose: `digest` covers the whole subject, so a reader must keep unknown members, or it would compute
 * another digest.
 */
const subjectShape = {
  runId: idSchema,
  elementId: elementIdSchema,
  definition: z
    .object({ workflowId: workflowIdSchema, workflowVersion: versionSchema, digest: digestSchema })
    .meta({ description: 'Of the workflow.' }),
};

const pinnedArtifactSchema = z.object({
  name: z.string(),
  version: versionSchema.nullable(),
  sha256: hashSchema.nullable(),
});

export const userTaskSubjectSchema = z
  .looseObject({
    kind: z.literal('user_task'),
    ...subjectShape,
    inputs: jsonObjectSchema.meta({
      description: 'The mapped inputs of the task; without a mapping a snapshot of the variables.',
    }),
    evidence: z
      .array(pinnedArtifactSchema)
      .meta({ description: 'The artifacts that are approved, by digest; `null` where one was not there.' }),
  })
  .meta({ id: 'UserTaskSubject', description: 'A user task with its inputs.' });

export const toolCallSubjectSchema = z
  .looseObject({
    kind: z.literal('tool_call'),
    ...subjectShape,
    callId: idSchema.meta({ description: 'Of this call forever, over edits and attempts.' }),
    tool: z.string(),
    toolDigest: digestSchema.meta({
      description:
        'Of name, description, schemas and effect of the tool. A tool that is another one by the time of the call is not called.',
    }),
    inputs: jsonObjectSchema.meta({ description: 'The arguments of the call, defaults filled in.' }),
    effect: z.enum(['read', 'write']),
    reversible: z.boolean().meta({ description: 'Whether what it does can be undone.' }),
    hosts: z.array(z.string()).meta({ description: 'Where it goes to, as far as the arguments tell.' }),
    taint: z.array(z.string()).meta({
      description: 'Where the data behind the arguments came from that no person vouches for.',
      example: ['webhook'],
    }),
    evidence: z
      .array(pinnedArtifactSchema)
      .meta({ description: 'The artifacts that the call reads: in exactly these versions.' }),
    agent: z
      .object({ name: z.string(), definitionDigest: digestSchema })
      .meta({ description: 'The agent that proposes it.' }),
    editedBy: principalSchema
      .nullable()
      .meta({ description: "Who changed the arguments; `null`: they are the agent's." }),
    policy: z
      .object({ id: z.string(), digest: digestSchema })
      .meta({ description: 'The policy that wants a person asked.' }),
  })
  .meta({
    id: 'ToolCallSubject',
    description: 'A call of a tool that an agent proposes: exactly this is executed, or nothing.',
  });

export const approvalSubjectSchema = z
  .discriminatedUnion('kind', [userTaskSubjectSchema, toolCallSubjectSchema])
  .meta({ id: 'ApprovalSubject', description: 'Exactly what is approved.' });

export const canDecideSchema = z
  .object({
    allowed: z.boolean(),
    reasons: z.array(z.string()).meta({
      description: 'Error codes that a decision would answer now; empty where it is allowed.',
      example: ['self_approval'],
    }),
  })
  .meta({ id: 'CanDecide', description: 'Whether the one who asks may decide.' });

export const delegationSchema = z
  .object({
    from: principalSchema,
    to: principalSchema,
    until: timestampSchema.nullable(),
    voteId: idSchema
      .nullable()
      .meta({ description: 'The vote that was cast in the place of `from`, who then has none of their own.' }),
    absenceId: idSchema.nullable().meta({
      description:
        'The absence in which that vote was cast; `null` where `from` has delegated this approval. Its audit events name it.',
    }),
  })
  .meta({ id: 'Delegation' });

const approvalShape = {
  approvalId: idSchema,
  previousApprovalId: idSchema.nullable().meta({ description: 'The approval of the round before.' }),
  runId: idSchema,
  workflowId: workflowIdSchema,
  workflowVersion: versionSchema,
  stepId: idSchema,
  elementId: elementIdSchema,
  title: z.string(),
  description: z.string().nullable(),
  status: approvalStatusSchema,
  round: z.int().min(1),
  requestedAt: timestampSchema,
  requestedBy: principalSchema,
  dueAt: timestampSchema.nullable(),
  resolvedAt: timestampSchema.nullable(),
  resolvedBy: principalSchema
    .nullable()
    .meta({ description: 'Whose vote resolved it; `null` where none did (pending, withdrawn, expired).' }),
  candidateUsers: z.array(z.string()),
  candidateGroups: z.array(z.string()),
  delegations: z.array(delegationSchema),
  quorum: z
    .object({ required: z.int().min(1), approvals: z.int().min(0) })
    .meta({ description: 'How many distinct people must approve, and how many approvals count.' }),
  signatureRequired: z.boolean().meta({ description: 'Whether only signed votes count.' }),
  votes: z.array(voteSchema),
  riskLevel: riskLevelSchema,
  riskFactors: z.array(riskFactorSchema),
  rationale: z.string().nullable(),
  subject: approvalSubjectSchema,
  digest: digestSchema.meta({ description: 'SHA-256 over the RFC 8785 form of `subject`.' }),
};

export const approvalSchema = z
  .object({
    ...approvalShape,
    absences: z.array(awaySchema).meta({
      description: 'Of a pending approval: the candidates named who are absent now. Empty in responses to commands.',
    }),
    inPlaceOf: principalSchema
      .nullable()
      .meta({ description: 'Whose vote the one who looks would cast now, where they are not asked themselves.' }),
    canDecide: canDecideSchema,
  })
  .meta({ id: 'Approval' });

const personInEvents = principalSchema
  .nullable()
  .meta({ description: 'As the events name them; `null` where the private part that does is missing.' });

/**
 * An approval as evidence: people as the events name them, and nothing that depends on the reader or the time of
 * reading.
 */
export const evidenceApprovalSchema = z
  .object({
    ...approvalShape,
    requestedBy: personInEvents,
    delegations: z.array(
      z
        .object({ ...delegationSchema.shape, from: personInEvents, to: personInEvents })
        .meta({ id: 'EvidenceDelegation' }),
    ),
    votes: z.array(z.object({ ...voteSchema.shape, by: personInEvents }).meta({ id: 'EvidenceVote' })),
  })
  .meta({ id: 'EvidenceApproval' });

export const approvalListSchema = listOf(approvalSchema, 'ApprovalList');

export type Approval = z.infer<typeof approvalSchema>;
export type ApprovalStatus = Approval['status'];
export type ApprovalSubject = z.infer<typeof approvalSubjectSchema>;
export type Decision = z.infer<typeof decisionSchema>;
export type Delegation = z.infer<typeof delegationSchema>;
export type ShownEvidence = z.infer<typeof shownEvidenceSchema>;
export type Vote = z.infer<typeof voteSchema>;
export type CanDecide = z.infer<typeof canDecideSchema>;
