import { APPROVAL_DECISIONS, APPROVAL_STATUSES, FIELD_FORMATS } from '@countersign/model';
import { z } from 'zod';
import { artifactNameSchema } from './artifact.js';
import {
  digestSchema,
  elementIdSchema,
  hashSchema,
  idSchema,
  jsonObjectSchema,
  jsonValueSchema,
  principalSchema,
  timestampSchema,
  versionSchema,
  workflowIdSchema,
} from './common.js';
import { candidateAbsenceSchema } from './absence.js';
import { buildListSchema } from './list.js';
import { riskFactorSchema, riskLevelSchema } from './policy-decision.js';
import { keyIdSchema } from './signing-key.js';

export const approvalStatusSchema = z.enum(APPROVAL_STATUSES).meta({ id: 'ApprovalStatus' });
export const decisionSchema = z.enum(APPROVAL_DECISIONS).meta({ id: 'Decision' });

export const shownEvidenceSchema = z
  .strictObject({
    name: artifactNameSchema,
    sha256: hashSchema.meta({ description: 'Digest of the displayed version.' }),
    percent: z.int().min(0).max(100).meta({
      description:
        'The part of the evidence that was displayed, in percent from its start. 0 if the evidence was only downloaded.',
    }),
    downloaded: z.boolean().meta({ description: 'Whether the voter downloaded the file.' }),
  })
  .meta({
    id: 'ShownEvidence',
    description: 'A piece of evidence that was displayed to the voter, and how much of it.',
  });

const recordedShownEvidenceSchema = z
  .object({
    ...shownEvidenceSchema.shape,
    name: z.string().nullable().meta({ description: '`null` if it was erased.' }),
  })
  .meta({
    id: 'RecordedShownEvidence',
    description: 'A piece of evidence that was displayed to the voter, as recorded with the vote.',
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
        'Names in `candidateUsers`, in addition to the subject, that refer to the voter or, with `inPlaceOf`, to the user in whose place the vote was cast.',
    }),
    inPlaceOf: principalSchema.nullable().meta({
      description: 'The user in whose place the vote was cast, by a delegation or as a substitute.',
    }),
    at: timestampSchema,
    digest: digestSchema.meta({ description: 'Digest of the subject of the vote.' }),
    signature: z.string().nullable().meta({
      description: 'The statement that the voter signed, as a compact JWS; `null` if the vote is unsigned.',
    }),
    keyId: keyIdSchema.nullable().meta({ description: 'Id of the signing key.' }),
    shown: z.array(recordedShownEvidenceSchema).optional().meta({
      description:
        'The evidence that was displayed to the voter, as reported by their client; left out if it reported nothing.',
    }),
    counts: z.literal(false).optional().meta({
      description:
        'Present if the vote no longer counts towards the quorum: its voter, or the person in whose place it was cast, has contributed to the data of the run since.',
    }),
  })
  .meta({ id: 'Vote' });

/**
 * Common members of all subjects. The schemas of subjects are loose on purpose: `digest` covers the whole subject, so a
 * reader that dropped unknown members would compute another digest.
 */
const subjectShape = {
  runId: idSchema,
  elementId: elementIdSchema,
  definition: z
    .object({ workflowId: workflowIdSchema, workflowVersion: versionSchema, digest: digestSchema })
    .meta({ description: 'The workflow version, with the digest of its BPMN file.' }),
};

const pinnedArtifactSchema = z.object({
  name: z.string(),
  version: versionSchema.nullable(),
  sha256: hashSchema.nullable(),
});

export const subjectFieldSchema = z
  .looseObject({
    label: z.string(),
    value: jsonValueSchema,
    format: z.enum(FIELD_FORMATS).meta({
      description:
        'How to display the value. `diff`: a unified diff, or an object with `before` and `after`. `link`: a URL, or an object with `text` and `url`. `table`: a list of objects. A value that does not fit is displayed as text.',
    }),
    currency: z.string().optional().meta({
      description:
        'Currency of an amount (`money`), normally an ISO 4217 code; other text is displayed after the value.',
      example: 'EUR',
    }),
  })
  .meta({ id: 'SubjectField', description: 'A labelled value, as the BPMN model presents it to the approvers.' });

export const userTaskSubjectSchema = z
  .looseObject({
    kind: z.literal('user_task'),
    ...subjectShape,
    title: z.string().optional().meta({ description: 'The evaluated `approval.title`, if the BPMN model has one.' }),
    summary: z
      .string()
      .optional()
      .meta({ description: 'The evaluated `approval.summary`, if the BPMN model has one.' }),
    fields: z
      .array(subjectFieldSchema)
      .optional()
      .meta({ description: 'The evaluated `approval.fields`, if the BPMN model has any.' }),
    inputs: jsonObjectSchema.meta({
      description: 'The mapped inputs of the task; without mappings a snapshot of the variables.',
    }),
    evidence: z.array(pinnedArtifactSchema).meta({
      description: 'The artifacts that are approved; `version` and `sha256` are `null` if an artifact did not exist.',
    }),
  })
  .meta({ id: 'UserTaskSubject', description: 'A user task with its inputs.' });

export const toolCallSubjectSchema = z
  .looseObject({
    kind: z.literal('tool_call'),
    ...subjectShape,
    callId: idSchema.meta({ description: 'Id of the call, unchanged by edits and attempts.' }),
    tool: z.string(),
    toolDigest: digestSchema.meta({
      description:
        'Digest of name, description, schemas and effect of the tool. If the tool has changed by the time of the call, it is not called.',
    }),
    inputs: jsonObjectSchema.meta({ description: 'Arguments of the call, with defaults.' }),
    effect: z.enum(['read', 'write']),
    reversible: z.boolean().meta({ description: 'Whether its effect can be undone.' }),
    hosts: z
      .array(z.string())
      .meta({ description: 'Hosts that the call contacts, as far as the arguments reveal them.' }),
    taint: z.array(z.string()).meta({
      description: 'Sources of the untrusted data in the arguments.',
      example: ['webhook'],
    }),
    evidence: z
      .array(pinnedArtifactSchema)
      .meta({ description: 'The artifacts that the call reads, in exactly these versions.' }),
    agent: z
      .object({ name: z.string(), definitionDigest: digestSchema })
      .meta({ description: 'The agent that proposes the call.' }),
    editedBy: principalSchema
      .nullable()
      .meta({ description: "The user who edited the arguments; `null` if the arguments are the agent's." }),
    policy: z
      .object({ id: z.string(), digest: digestSchema })
      .meta({ description: 'The policy that requires the approval.' }),
  })
  .meta({
    id: 'ToolCallSubject',
    description: 'A tool call that an agent proposes. Exactly this call is executed, or none.',
  });

export const approvalSubjectSchema = z
  .discriminatedUnion('kind', [userTaskSubjectSchema, toolCallSubjectSchema])
  .meta({ id: 'ApprovalSubject', description: 'The content that is approved.' });

export const canDecideSchema = z
  .object({
    allowed: z.boolean(),
    reasons: z.array(z.string()).meta({
      description: 'Error codes that a vote would get now; empty if it is allowed.',
      example: ['self_approval'],
    }),
  })
  .meta({ id: 'CanDecide', description: 'Whether the caller may vote.' });

export const unavailableDecisionSchema = z
  .object({
    decision: decisionSchema,
    reason: z.string().meta({ description: 'The error code that a vote would get.', example: 'rework_not_possible' }),
  })
  .meta({ id: 'UnavailableDecision', description: 'A decision that the BPMN model leaves no way for.' });

export const delegationSchema = z
  .object({
    from: principalSchema,
    to: principalSchema,
    until: timestampSchema.nullable(),
    voteId: idSchema
      .nullable()
      .meta({ description: 'The vote that was cast in the place of `from`, who then has no vote left.' }),
    absenceId: idSchema.nullable().meta({
      description:
        'The absence during which that vote was cast; `null` if `from` delegated this approval. The audit events of the absence contain this id.',
    }),
  })
  .meta({ id: 'Delegation' });

const approvalShape = {
  approvalId: idSchema,
  previousApprovalId: idSchema.nullable().meta({ description: 'The approval of the previous round.' }),
  runId: idSchema,
  workflowId: workflowIdSchema,
  workflowVersion: versionSchema,
  stepId: idSchema,
  elementId: elementIdSchema,
  title: z.string().meta({
    description:
      'The title of the subject, or else the name of the task (for a tool call, the task and the tool) and the business key.',
  }),
  description: z.string().nullable(),
  status: approvalStatusSchema,
  round: z.int().min(1),
  requestedAt: timestampSchema,
  requestedBy: principalSchema,
  dueAt: timestampSchema.nullable(),
  resolvedAt: timestampSchema.nullable(),
  resolvedBy: principalSchema
    .nullable()
    .meta({ description: 'The user whose vote resolved it; `null` if no vote did (pending, withdrawn, expired).' }),
  candidateUsers: z.array(z.string()),
  candidateGroups: z.array(z.string()),
  delegations: z.array(delegationSchema),
  quorum: z.object({ required: z.int().min(1), approvals: z.int().min(0) }).meta({
    description:
      '`required`: number of distinct users who must approve. `approvals`: number of approving votes that count.',
  }),
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
    businessKey: z.string().nullable().meta({ description: 'Business key of the run; `null` if it has none.' }),
    summary: z.string().meta({
      description:
        'What distinguishes the request, in one line: the summary of the subject, or else its first short inputs. Empty if there are none.',
      example: 'supplier: ACME · amount: 1200',
    }),
    votedByCaller: z.boolean().meta({ description: 'Whether the caller has voted.' }),
    excludedUsers: z.array(principalSchema).optional().meta({
      description:
        'For a pending approval: subjects of the users who may not vote, because they contributed to the subject or decided before (separation of duties). Omitted by servers before 0.1.0.',
    }),
    absences: z.array(candidateAbsenceSchema).meta({
      description: 'For a pending approval: the named candidates who are absent now. Empty in responses to commands.',
    }),
    inPlaceOf: principalSchema
      .nullable()
      .meta({ description: 'The user in whose place the caller would vote now, if the caller is not a candidate.' }),
    canDecide: canDecideSchema,
    unavailableDecisions: z.array(unavailableDecisionSchema).optional().meta({
      description:
        'For a pending approval: decisions for which every vote would be refused, whoever votes. Omitted in responses to commands, if the server cannot read the BPMN model, and by servers before 0.1.0.',
    }),
  })
  .meta({ id: 'Approval' });

const eventPersonSchema = principalSchema.nullable().meta({
  description: 'The person as named in the events; `null` if the private part that names the person is missing.',
});

/**
 * An approval as evidence: people as the events name them, and nothing that depends on the reader or the time of
 * reading.
 */
export const evidenceApprovalSchema = z
  .object({
    ...approvalShape,
    requestedBy: eventPersonSchema,
    delegations: z.array(
      z
        .object({ ...delegationSchema.shape, from: eventPersonSchema, to: eventPersonSchema })
        .meta({ id: 'EvidenceDelegation' }),
    ),
    votes: z.array(z.object({ ...voteSchema.shape, by: eventPersonSchema }).meta({ id: 'EvidenceVote' })),
  })
  .meta({ id: 'EvidenceApproval' });

export const approvalListSchema = buildListSchema(approvalSchema, 'ApprovalList');

export type Approval = z.infer<typeof approvalSchema>;
export type ApprovalStatus = Approval['status'];
export type ApprovalSubject = z.infer<typeof approvalSubjectSchema>;
export type Decision = z.infer<typeof decisionSchema>;
export type SubjectField = z.infer<typeof subjectFieldSchema>;
export type Delegation = z.infer<typeof delegationSchema>;
export type ShownEvidence = z.infer<typeof shownEvidenceSchema>;
export type Vote = z.infer<typeof voteSchema>;
export type UnavailableDecision = z.infer<typeof unavailableDecisionSchema>;
export type CanDecide = z.infer<typeof canDecideSchema>;
