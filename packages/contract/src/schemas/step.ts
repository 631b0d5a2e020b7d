import { z } from 'zod';
import { elementIdSchema, idSchema, jsonValueSchema, timestampSchema } from './common.js';
import { policyDecisionSchema } from './policy-decision.js';

export const STEP_STATUSES = Object.freeze(['active', 'waiting', 'completed', 'failed', 'cancelled'] as const);

export const stepErrorSchema = z
  .object({
    code: z.string().meta({ example: 'connector_failed' }),
    message: z.string(),
    retryable: z.boolean().meta({ description: 'Whether recovery may succeed without a change of the input.' }),
  })
  .meta({ id: 'StepError' });

export const stepSchema = z
  .object({
    stepId: idSchema,
    elementId: elementIdSchema,
    name: z.string().nullable(),
    type: z.string().meta({ description: 'The BPMN type.', example: 'serviceTask' }),
    status: z.enum(STEP_STATUSES),
    attempt: z.int().min(1).meta({ description: 'Counted from 1; a retry or recovery adds one.' }),
    iteration: z.int().min(1).meta({ description: 'How often the run has entered this element, counted from 1.' }),
    enteredSeq: z.int().min(1).meta({ description: 'Position of the step in the order in which steps were entered.' }),
    startedAt: timestampSchema,
    completedAt: timestampSchema.nullable(),
    agentName: z.string().nullable(),
    calledRunId: idSchema.nullable().meta({ description: 'For a call activity: its last child run.' }),
    output: jsonValueSchema.meta({ description: 'Output of the step; `null` if there is none.' }),
    error: stepErrorSchema.nullable(),
    policyDecision: policyDecisionSchema
      .nullable()
      .meta({ description: 'Present for every task; `null` for events and gateways.' }),
  })
  .meta({
    id: 'Step',
    description: 'One entry of the step history. Entries are never removed, not even by recovery or rework.',
  });

export type Step = z.infer<typeof stepSchema>;
export type StepStatus = Step['status'];
export type StepError = z.infer<typeof stepErrorSchema>;
