import { z } from 'zod';
import {
  digestSchema,
  elementIdSchema,
  idSchema,
  jsonObjectSchema,
  timestampSchema,
  versionSchema,
  workflowIdSchema,
} from './common.js';
import { queryInteger } from './query.js';
import { runEventSchema } from './run-event.js';
import { runErrorSchema, runOutcomeSchema, runStatusSchema } from './run.js';
import { stepSchema } from './step.js';
import { waitingForSchema } from './waiting-for.js';

export const RUN_TOKEN_KINDS = Object.freeze(['active', 'waiting', 'failed'] as const);

export const runTokenSchema = z
  .object({
    elementId: elementIdSchema,
    stepId: idSchema.nullable().meta({ description: '`null`: it waits at a gateway for others.' }),
    flowId: elementIdSchema
      .nullable()
      .meta({ description: 'Of a token that waits at a gateway: the sequence flow through which it came.' }),
    kind: z.enum(RUN_TOKEN_KINDS),
    count: z.int().min(1).meta({ description: 'More than one only at gateways.' }),
  })
  .meta({ id: 'RunToken', description: 'Where a run stands. Scopes with tokens in them are not listed.' });

export const takenFlowSchema = z
  .object({
    flowId: elementIdSchema,
    count: z.int().min(1).meta({ description: 'How often it has been taken so far.' }),
  })
  .meta({ id: 'TakenFlow' });

export const stateGapSchema = z
  .object({
    seq: z.int().min(1).meta({ description: 'The run event that could not be replayed.' }),
    code: z.enum(['erased', 'not_recorded', 'version_missing', 'differs', 'too_long']).meta({
      description:
        '`erased`: what it held was erased. `not_recorded`: the history does not hold what it takes. `version_missing`: the version of the workflow is not there. `differs`: replaying it gives something else than the history says. `too_long`: there are too many events before it.',
    }),
    message: z.string(),
  })
  .meta({ id: 'StateGap' });

export const runStateSchema = z
  .object({
    runId: idSchema,
    workflowId: workflowIdSchema,
    workflowVersion: versionSchema.meta({ description: 'The one that the run was on then.' }),
    workflowDigest: digestSchema,
    at: z
      .int()
      .min(1)
      .meta({ description: 'The run event behind which this is; the last one where a later one was asked for.' }),
    time: timestampSchema,
    lastSeq: z.int().min(1).meta({ description: 'Of the last event that the run has now.' }),
    event: runEventSchema,
    status: runStatusSchema,
    outcome: runOutcomeSchema.nullable(),
    cancelling: z.boolean(),
    currentStep: elementIdSchema.nullable(),
    incidents: z.int().min(0),
    error: runErrorSchema.nullable(),
    waitingFor: z
      .array(waitingForSchema)
      .nullable()
      .meta({ description: '`null` behind a gap, but for the last event.' }),
    variables: jsonObjectSchema.nullable().meta({
      description:
        'Those of the process. `null` behind a gap, but for the last event: what is not known is not made up.',
    }),
    steps: z.array(stepSchema).meta({ description: 'As they were then, in the order in which they were entered.' }),
    tokens: z.array(runTokenSchema),
    takenFlows: z
      .array(takenFlowSchema)
      .nullable()
      .meta({ description: 'Sequence flows that were taken until then; `null` behind a gap.' }),
    gap: stateGapSchema.nullable().meta({ description: 'Why not all of it is known; `null` where it is.' }),
  })
  .meta({
    id: 'RunState',
    description: 'A run as it was just after one of its events, made by replaying its history.',
  });

export const getRunStateQuerySchema = z.strictObject({
  at: queryInteger(z.int().min(1))
    .optional()
    .meta({ description: 'The `seq` of a run event; the last one where it is left out.' }),
});

export type RunState = z.infer<typeof runStateSchema>;
export type RunToken = z.infer<typeof runTokenSchema>;
export type TakenFlow = z.infer<typeof takenFlowSchema>;
export type StateGap = z.infer<typeof stateGapSchema>;
