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
      'Persons and free text (for example `actor`, `comment`); `null` if there are none or they were erased. If it is `null` although `commitment` is not, data was removed.',
  }),
  salt: z
    .string()
    .regex(/^[0-9a-f]+$/)
    .nullable()
    .meta({ description: 'Hexadecimal; `null` if there is no private part, or it was erased.' }),
  commitment: hashSchema.nullable().meta({
    description:
      'SHA-256 over the RFC 8785 form of the object {private, salt}. It remains when `private` and `salt` are erased; `null` if there was no private part.',
  }),
};

const eventPersonSchema = principalSchema.nullable().meta({
  description: 'The person as named in the events; `null` if the private part that names the person is missing.',
});

const eventTextSchema = z
  .string()
  .nullable()
  .meta({ description: 'The text as recorded in the event; `null` if the private part of the event is missing.' });

const evidenceArtifactSchema = z
  .object({
    ...artifactSchema.shape,
    name: eventTextSchema,
    contentType: eventTextSchema,
    createdBy: eventPersonSchema,
  })
  .meta({ id: 'EvidenceArtifact' });

const evidenceRunSchema = z
  .object({
    // The engine is not part of the history, so a pack does not prove it.
    ...runDetailSchema.omit({ engine: true }).shape,
    startedBy: eventPersonSchema,
    artifacts: z.array(evidenceArtifactSchema).meta({ description: 'The latest version of each name.' }),
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
        'The data of the event. `personDigests` has a digest of each person whom `private` names, in the member of the same name: `actor`, `deployedBy`, `inPlaceOf`, `to`, and as lists in the same order `candidateUsers` and `contributors`. Each is SHA-256 over the RFC 8785 form of the object {id, salt, type}, where `salt` is that member of `private.personSalts` and `type` that of the actor, or `user` if a person is named only by id. A person has the same salt within a run, and a different one in every other run. Events that an earlier release of Countersign wrote have no `personDigests`; `notCovered` lists them. An event `personal_data.erased` lists in `events` and `auditEvents` the positions whose private parts were erased.',
    }),
    ...commitmentShape,
    previousHash: hashSchema.meta({ description: '`hash` of the previous event; `chain.genesis` for the first.' }),
    hash: hashSchema.meta({
      description:
        'SHA-256 over the RFC 8785 form of the object {runId, seq, at, type, stepId, elementId, data, commitment, previousHash} with these values and `run.runId`.',
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
        'The hash also covers members that this schema does not list. `personDigests` has a digest of each person whom `private` names (`actor`, and of `data` for example `subject` and `substitute` of an absence), computed like those of events, with the salts in `private.data.personSalts`. Audit events that an earlier release of Countersign wrote have no `personDigests`.',
    }),
    result: auditEventSchema.shape.result,
    ...commitmentShape,
    private: commitmentShape.private.meta({ description: 'The object {actor, from, data}; `null` after an erasure.' }),
    previousHash: hashSchema.meta({
      description: '`hash` of the previous audit event; `chain.genesis` for the first.',
    }),
    hash: hashSchema.meta({
      description:
        'SHA-256 over the RFC 8785 form of the object {runId, seq, auditId, at, action, target, result, commitment, previousHash} with these values and `run.runId` (in `refusals`: `null`).',
    }),
  })
  .meta({ id: 'EvidenceAuditEvent' });

export const evidenceDecisionFileSchema = z
  .object({
    digest: digestSchema.meta({
      description:
        'SHA-256 over the UTF-8 bytes of `dmnXml`. The events `decision.evaluated` and `decision.failed` contain this digest.',
    }),
    dmnXml: z.string(),
    decisions: z.array(
      z.object({ decisionId: dmnDecisionIdSchema, version: versionSchema, deployedAt: timestampSchema }),
    ),
  })
  .meta({ id: 'EvidenceDecisionFile' });

export const evidenceAgentWorkSchema = z.object({ stepId: idSchema, ...agentWorkShape }).meta({
  id: 'EvidenceAgentWork',
  description: 'The activity of an agent in a step, derived from `events` and `approvals` for readers.',
});

export const evidenceDefinitionSchema = z
  .object({
    kind: z.enum(['agent', 'policy', 'tool']),
    name: z.string(),
    digest: digestSchema.meta({
      description:
        'SHA-256 over the RFC 8785 form of `content`. `events` refer to it by `definitionDigest` for an agent, `policyDecision.policyDigest` for a policy, and `toolDigest` for a tool.',
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
    runHead: z.object({ seq: z.int().min(0), hash: z.string() }).meta({
      description: 'The last event of the run when the pack was generated; the pack contains all events up to it.',
    }),
    auditHead: z
      .object({ seq: z.int().min(0), hash: z.string() })
      .meta({ description: 'The last audit event of the run when the pack was generated.' }),
  })
  .meta({
    id: 'EvidenceChain',
    description:
      'How to verify `events`: recompute each `hash`; compare each `previousHash` with the previous hash, the first with `genesis`, and the last `hash` with `runHead`. Verify `auditEvents` in the same way, with `auditHead`.',
  });

const evidenceWorkflowSchema = z
  .object({
    workflowId: workflowIdSchema,
    version: versionSchema,
    digest: digestSchema.meta({ description: 'SHA-256 over the UTF-8 bytes of `bpmnXml`.' }),
    bpmnXml: z.string(),
    deployedAt: timestampSchema,
    deployedBy: eventPersonSchema.meta({
      description: 'As named in `run.started` or `run.migrated`; `null` if neither names the person.',
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
    events: z.array(z.int().min(1)).meta({ description: '`seq` of each affected event.' }),
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
      serverId: z
        .string()
        .meta({ description: 'The value of `server` in the statements that approvers sign for this server.' }),
    }),
    run: evidenceRunSchema,
    workflow: evidenceWorkflowSchema.meta({ description: 'The current workflow version of the run.' }),
    earlierVersions: z.array(evidenceWorkflowSchema).meta({
      description:
        'The former workflow versions of the run. `run.started` names the digest of the first; each `run.migrated` names the previous one (`fromDigest`) and the next (`toDigest`), the last of which is `workflow.digest`. An approval names the version at the time of its request.',
    }),
    decisionFiles: z.array(evidenceDecisionFileSchema).meta({
      description:
        'The DMN files of all DMN decisions that the run evaluated. Inputs, matched rules and results are in `events`.',
    }),
    steps: z
      .array(stepSchema)
      .meta({ description: 'In the order in which they were entered, each with its policy decision.' }),
    approvals: z.array(evidenceApprovalSchema).meta({
      description: 'All rounds, oldest first, each with its votes and the subject that `digest` covers.',
    }),
    signingKeys: z.array(evidenceSigningKeySchema).meta({
      description: 'The keys with which the votes are signed, each with the proof of possession from its registration.',
    }),
    questions: z
      .array(questionSchema)
      .meta({ description: 'In the order in which they were asked, each with its answer and the user who answered.' }),
    agentWork: z
      .array(evidenceAgentWorkSchema)
      .meta({ description: 'By step, in the order in which the agents started.' }),
    definitions: z.array(evidenceDefinitionSchema).meta({
      description: 'Agents, policies and tools that `events` name by digest, as far as the server stores them.',
    }),
    artifacts: z
      .array(evidenceArtifactSchema)
      .meta({ description: 'All versions, by digest; the bytes are downloaded separately.' }),
    events: z.array(evidenceEventSchema).meta({ description: 'The whole history of the run, oldest first.' }),
    auditEvents: z.array(evidenceAuditEventSchema).meta({
      description:
        'Actions on this run, oldest first. `target.eventSeq` is the last event that the action caused, so the last item names `chain.runHead`.',
    }),
    refusals: z.array(evidenceAuditEventSchema).meta({
      description:
        'Refused attempts concerning this run, oldest first. They are entries of the audit chain of the server, which also contains other entries: each `hash` is computed with `runId: null`, and `seq` is the position in that chain.',
    }),
    chain: evidenceChainSchema,
    notCovered: z.array(evidenceGapSchema).meta({
      description:
        'Facts that `chain` does not prove; empty if the chain covers all persons. The list can be derived from `events`, so verification compares both.',
    }),
  })
  .meta({ id: 'EvidencePack', description: 'Everything that is needed to verify a run without its server.' });

export type EvidencePack = z.infer<typeof evidencePackSchema>;
export type EvidenceEvent = z.infer<typeof evidenceEventSchema>;
export type EvidenceAuditEvent = z.infer<typeof evidenceAuditEventSchema>;
export type EvidenceChain = z.infer<typeof evidenceChainSchema>;
