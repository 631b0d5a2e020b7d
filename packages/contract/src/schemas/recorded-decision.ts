import { z } from 'zod';
import { digestSchema, elementIdSchema, idSchema, workflowIdSchema } from './common.js';
import { buildListSchema } from './list.js';
import { POLICY_DECISIONS, policyDecisionSchema, riskLevelSchema } from './policy-decision.js';
import { pageQueryShape } from './query.js';

export const recordedDecisionSchema = z
  .object({
    runId: idSchema,
    workflowId: workflowIdSchema,
    seq: z.int().min(1).meta({ description: '`seq` of the run event that records the policy decision.' }),
    stepId: idSchema,
    elementId: elementIdSchema,
    callId: idSchema.nullable().meta({ description: 'Id of the tool call; `null`: the step itself.' }),
    tool: z.string().nullable().meta({ description: 'The tool of the proposed call.' }),
    agentName: z.string().nullable(),
    decision: policyDecisionSchema,
  })
  .meta({ id: 'RecordedDecision', description: 'The policy decision on a step or a tool call.' });

export const recordedDecisionListSchema = buildListSchema(recordedDecisionSchema, 'RecordedDecisionList');

export const listRecordedDecisionsQuerySchema = z.strictObject({
  ...pageQueryShape,
  decision: z.enum(POLICY_DECISIONS).optional(),
  riskLevel: riskLevelSchema.optional(),
  workflowId: workflowIdSchema.optional(),
  runId: idSchema.optional(),
  policyDigest: digestSchema.optional(),
});

export type RecordedDecision = z.infer<typeof recordedDecisionSchema>;
export type ListRecordedDecisionsQuery = z.output<typeof listRecordedDecisionsQuerySchema>;
