import { z } from 'zod';
import { agentWorkShape } from './agent-work.js';
import { evidenceApprovalSchema } from './approval.js';
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

/** Identifies the format of the pack; another format gets another number. */
export const EVIDENCE_PACK_SCHEMA_ID = 'urn:countersign:schema:evidence-pack:2';

/**
 * The part of an event that its hash covers only by a commitment, so that people and free text can be erased without
 * breaking the chain.
 */
const commitmentShape = {
  private: jsonObjectSchema.nullable().meta({
    description:
      'Persons and free text (for example `actor`, `comment`); `null` where there are none or they were erased. Where `commitment` is there and this is not, something was removed.',
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

const personInEvents = principalSchema
  .nullable()
  .meta({ description: 'As the events name them; `null` where the private part that does is missing.' });

const textInEvents = z
  .string()
  .nullable()
  .meta({ description: 'As the event says; `null` where its private part is missing.' });

const evidenceArtifactSchema = z
  .object({ ...artifactSchema.shape, name: textInEvents, contentType: textInEvents, createdBy: personInEvents })
  .meta({ id: 'EvidenceArtifact' });

const evidenceRunSchema = z
  .object({
    ...runDetailSchema.shape,
    startedBy: personInEvents,
    artifacts: z.array(evidenceArtifactSchema).meta({ description: 'The newest version of each name.' }),
  })
  .meta({ id: 'EvidenceRun' });

export const evidenceEventSchema = z
  .object({
    seq: z.int().min(1),
    at: timestampSchema,
    type: z.string(),
    stepId: idSchema.nullable(),
    elementId: elementIdSchema.nullable(),
    data: jsonObjectSchema.meta({
      description:
        'What happened. `personDigests` has a digest of each person whom `private` names, under the same member: `actor`, `deployedBy`, `inPlaceOf`, `to`, and as lists in the same order `candidateUsers` and `contributors`. Each is SHA-256 over the RFC 8785 form of the object {id, salt, type}, where `salt` is that member of `private.personSalts` and `type` that of the actor, or `user` where somebody is named by id alone. One person has one salt in a run and another one in every other run. Events of earlier versions have no `personDigests`; `notCovered` lists them. An event `personal_data.erased` lists in `events` and `auditEvents` the positions whose private parts were erased.',
    }),
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
    target: z.looseObject({ type: z.string(), id: z.string() }).nullable().meta({
      description:
        'Further members belong to what the hash covers. `personDigests` has a digest of each person whom `private` names (`actor`, and of `data` for example `subject` and `substitute` of an absence), made as those of events, with the salts in `private.data.personSalts`. Audit events of earlier versions have none.',
    }),
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
      z.object({ decisionId: dmnDecisionIdSchema, version: versionSchema, deployedAt: timestampSchema }),
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
      'How to check `events`: recompute each `hash`; compare each `previousHash` with the hash before it, the first with `genesis`, and the last `hash` with `runHead`. Likewise `auditEvents`, with `auditHead`.',
  });

const evidenceWorkflowSchema = z
  .object({
    workflowId: workflowIdSchema,
    version: versionSchema,
    digest: digestSchema.meta({ description: 'SHA-256 over the UTF-8 bytes of `bpmnXml`.' }),
    bpmnXml: z.string(),
    deployedAt: timestampSchema,
    deployedBy: personInEvents.meta({
      description: 'As `run.started` or `run.migrated` names them; `null` where neither does.',
    }),
  })
  .meta({ id: 'EvidenceWorkflow' });

export const evidenceGapSchema = z
  .object({
    code: z.enum([
      'person_digests_missing',
      'deployer_not_recorded',
      'private_part_erased',
      'audit_private_part_erased',
    ]),
    events: z.array(z.int().min(1)).meta({ description: '`seq` of each event that it is about.' }),
    explanation: z.string(),
  })
  .meta({ id: 'EvidenceGap' });

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
    run: evidenceRunSchema,
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
    approvals: z.array(evidenceApprovalSchema).meta({
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
      .array(evidenceArtifactSchema)
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
    notCovered: z.array(evidenceGapSchema).meta({
      description:
        'What `chain` does not prove; empty where it covers all people. It follows from `events`, so the check compares it.',
    }),
  })
  .meta({ id: 'EvidencePack', description: 'All that is needed to check a run without its server.' });

export type EvidencePack = z.infer<typeof evidencePackSchema>;
export type EvidenceEvent = z.infer<typeof evidenceEventSchema>;
export type EvidenceAuditEvent = z.infer<typeof evidenceAuditEventSchema>;
export type EvidenceChain = z.infer<typeof evidenceChainSchema>;
