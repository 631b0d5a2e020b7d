import { z } from 'zod';
import { agentWorkShape } from './agent-work.js';
import { approvalRecordSchema } from './approval.js';
import { artifactSchema } from './artifact.js';
import { auditEventSchema } from './audit-event.js';
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
import { dmnDecisionIdSchema } from './dmn-decision.js';
import { questionSchema } from './question.js';
import { evidenceSigningKeySchema } from './signing-key.js';
import { runDetailSchema } from './run.js';
import { stepSchema } from './step.js';

/** Names the shape of the pack; another shape gets another number. */
export const EVIDENCE_PACK_SCHEMA_ID = 'urn:countersign:schema:evidence-pack:1';

/** What the hash of an event covers, so that persons and free text can be erased without breaking the chain. */
const commitmentShape = {
  private: jsonObjectSchema.nullable().meta({
    description:
      'Persons and free text (for example `actor`, `comment`); `null` where there are none or they were erased.',
  }),
  salt: z
    .string()
    .regex(/^[0-9a-f]+$/)
    .nullable()
    .meta({ description: 'Hex; `null` where there is nothing private, or it was erased.' }),
  commitment: hashSchema.nullable().meta({
    description:
      'SHA-256 over the RFC 8785 form of the object {private, salt}. Stays when both are erased; `null` where there was nothing private.',
  }),
};

export const evidenceEventSchema = z
  .object({
    seq: z.int().min(1),
    at: timestampSchema,
    type: z.string(),
    stepId: idSchema.nullable(),
    elementId: elementIdSchema.nullable(),
    data: jsonObjectSchema,
    ...commitmentShape,
    previousHash: hashSchema.meta({ description: 'The `hash` of the event before; `chain.genesis` for the first.' }),
    hash: hashSchema.meta({
      description:
        'SHA-256 over the RFC 8785 form of the object {runId, seq, at, type, stepId, elementId, data, commitment, previousHash} with the values given here and `run.runId`.',
    }),
  })
  .meta({ id: 'EvidenceEvent' });

export const evidenceAuditEventSchema = z
  .object({
    seq: z
      .int()
      .min(1)
      .meta({ description: 'Counted from 1 within the run, without gaps; in `refusals` within the server.' }),
    auditId: idSchema,
    at: timestampSchema,
    action: auditEventSchema.shape.action,
    target: z
      .looseObject({ type: z.string(), id: z.string() })
      .nullable()
      .meta({ description: 'Further members belong to what the hash covers.' }),
    result: auditEventSchema.shape.result,
    ...commitmentShape,
    private: commitmentShape.private.meta({ description: 'The object {actor, from, data}; `null` after an erasure.' }),
    previousHash: hashSchema.meta({
      description: 'The `hash` of the audit event before; `chain.genesis` for the first.',
    }),
    hash: hashSchema.meta({
      description:
        'SHA-256 over the RFC 8785 form of the object {runId, seq, auditId, at, action, target, result, commitment, previousHash} with the values given here and `run.runId` (in `refusals`: `null`).',
    }),
  })
  .meta({ id: 'EvidenceAuditEvent' });

export const evidenceDecisionFileSchema = z
  .object({
    digest: digestSchema.meta({
      description:
        'SHA-256 over the UTF-8 bytes of `dmnXml`. The events `decision.evaluated` and `decision.failed` name it.',
    }),
    dmnXml: z.string(),
    decisions: z.array(
      z.object({
        decisionId: dmnDecisionIdSchema,
        version: versionSchema,
        deployedAt: timestampSchema,
        deployedBy: principalSchema,
      }),
    ),
  })
  .meta({ id: 'EvidenceDecisionFile' });

export const evidenceAgentWorkSchema = z.object({ stepId: idSchema, ...agentWorkShape }).meta({
  id: 'EvidenceAgentWork',
  description: 'What an agent did in a step: told again from `events` and `approvals`, for those who read.',
});

export const evidenceDefinitionSchema = z
  .object({
    kind: z.enum(['agent', 'policy', 'tool']),
    name: z.string(),
    digest: digestSchema.meta({
      description:
        'SHA-256 over the RFC 8785 form of `content`. `events` name it: `definitionDigest` the one of an agent, `policyDecision.policyDigest` the one of a policy, `toolDigest` the one of a tool.',
    }),
    content: jsonObjectSchema,
  })
  .meta({ id: 'EvidenceDefinition' });

export const evidenceChainSchema = z
  .object({
    algorithm: z.literal('sha256'),
    canonicalisation: z.literal('RFC 8785'),
    genesis: z
      .string()
      .meta({ description: 'The `previousHash` of the first event, and of the first audit event, of the run.' }),
    runHead: z
      .object({ seq: z.int().min(0), hash: z.string() })
      .meta({ description: 'The last event of the run when the pack was made; all events up to it are in the pack.' }),
    auditHead: z
      .object({ seq: z.int().min(0), hash: z.string() })
      .meta({ description: 'The last audit event of the run when the pack was made.' }),
  })
  .meta({
    id: 'EvidenceChain',
    description:
      'How to check `events`: each `hash` anew, each `previousHash` against the one before, the first against `genesis`, the last against `runHead`; and so `auditEvents`, against `auditHead`.',
  });

const evidenceWorkflowSchema = z
  .object({
    workflowId: workflowIdSchema,
    version: versionSchema,
    digest: digestSchema.meta({ description: 'SHA-256 over the UTF-8 bytes of `bpmnXml`.' }),
    bpmnXml: z.string(),
    deployedAt: timestampSchema,
    deployedBy: principalSchema,
  })
  .meta({ id: 'EvidenceWorkflow' });

export const evidencePackSchema = z
  .object({
    schema: z.literal(EVIDENCE_PACK_SCHEMA_ID),
    generatedAt: timestampSchema,
    generatedBy: principalSchema,
    server: z.object({
      version: z.string(),
      instanceId: z.string(),
      serverId: z.string().meta({ description: '`server` of the statements that approvers sign here.' }),
    }),
    run: runDetailSchema,
    workflow: evidenceWorkflowSchema.meta({ description: 'The version that the run is on.' }),
    earlierVersions: z.array(evidenceWorkflowSchema).meta({
      description:
        'The other versions that the run was on. `run.started` names the digest of the first; each `run.migrated` names the one that was left (`fromDigest`) and the next (`toDigest`), the last of which is `workflow.digest`. An approval names the one in force when it was asked for.',
    }),
    decisionFiles: z.array(evidenceDecisionFileSchema).meta({
      description:
        'The DMN files of all decisions that the run evaluated. What went into each, which rules matched and what came out stands in `events`.',
    }),
    steps: z
      .array(stepSchema)
      .meta({ description: 'In the order in which they were entered, each with what the policy said.' }),
    approvals: z.array(approvalRecordSchema).meta({
      description: 'All rounds, oldest first, each with its votes, and with the subject that `digest` is taken over.',
    }),
    signingKeys: z.array(evidenceSigningKeySchema).meta({
      description:
        'The keys that the votes are signed with, each with what proved, when it was registered, that its owner has it.',
    }),
    questions: z
      .array(questionSchema)
      .meta({ description: 'In the order in which they were asked, each with its answer and who gave it.' }),
    agentWork: z
      .array(evidenceAgentWorkSchema)
      .meta({ description: 'By step, in the order in which agents began to work.' }),
    definitions: z.array(evidenceDefinitionSchema).meta({
      description: 'Agents, policies and tools that `events` name by digest, as far as the server keeps them.',
    }),
    artifacts: z
      .array(artifactSchema)
      .meta({ description: 'All versions, by digest; the bytes are downloaded apart.' }),
    events: z.array(evidenceEventSchema).meta({ description: 'The whole history of the run, oldest first.' }),
    auditEvents: z.array(evidenceAuditEventSchema).meta({
      description:
        'Who did what about this run, oldest first. `target.eventSeq` is the last of `events` that it made, so the last one here names `chain.runHead`.',
    }),
    refusals: z.array(evidenceAuditEventSchema).meta({
      description:
        'What people were refused about this run, oldest first. These stand in a chain of the whole server, between others: each `hash` holds with `runId: null`, and `seq` counts there.',
    }),
    chain: evidenceChainSchema,
  })
  .meta({ id: 'EvidencePack', description: 'All that is needed to check a run without its server.' });

export type EvidencePack = z.infer<typeof evidencePackSchema>;
export type EvidenceEvent = z.infer<typeof evidenceEventSchema>;
export type EvidenceAuditEvent = z.infer<typeof evidenceAuditEventSchema>;
export type EvidenceChain = z.infer<typeof evidenceChainSchema>;
