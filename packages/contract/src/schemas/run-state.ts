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
    stepId: idSchema.nullable().meta({ description: '`null`: the token waits at a gateway for other tokens.' }),
    flowId: elementIdSchema
      .nullable()
      .meta({ description: 'For a token that waits at a gateway: the sequence flow through which it arrived.' }),
    kind: z.enum(RUN_TOKEN_KINDS),
    count: z.int().min(1).meta({ description: 'Number of tokens; more than one only at gateways.' }),
  })
  .meta({ id: 'RunToken', description: 'A position of tokens in a run. Scopes that contain tokens are not listed.' });

export const takenFlowSchema = z
  .object({
    flowId: elementIdSchema,
    count: z.int().min(1).meta({ description: 'How often the sequence flow was taken up to that event.' }),
  })
  .meta({ id: 'TakenFlow' });

export const stateGapSchema = z
  .object({
    seq: z.int().min(1).meta({ description: 'The run event that could not be replayed.' }),
    code: z.enum(['erased', 'not_recorded', 'version_missing', 'differs', 'too_long']).meta({
      description:
        '`erased`: its data was erased. `not_recorded`: the history does not contain the required data. `version_missing`: the workflow version does not exist. `differs`: the replay differs from the history. `too_long`: there are too many events before it.',
    }),
    message: z.string(),
  })
  .meta({ id: 'StateGap' });

export const runStateSchema = z
  .object({
    runId: idSchema,
    workflowId: workflowIdSchema,
    workflowVersion: versionSchema.meta({ description: 'The workflow version at that event.' }),
    workflowDigest: digestSchema,
    at: z.int().min(1).meta({
      description:
        '`seq` of the run event after which the run had this state; the last event if a later one was requested.',
    }),
    time: timestampSchema,
    lastSeq: z.int().min(1).meta({ description: '`seq` of the current last event of the run.' }),
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
      .meta({ description: '`null` after a gap, except for the last event.' }),
    variables: jsonObjectSchema.nullable().meta({
      description: 'Variables of the process. `null` after a gap, except for the last event.',
    }),
    steps: z.array(stepSchema).meta({ description: 'Steps at that event, in the order in which they were entered.' }),
    tokens: z.array(runTokenSchema),
    takenFlows: z
      .array(takenFlowSchema)
      .nullable()
      .meta({ description: 'Sequence flows taken up to that event; `null` after a gap.' }),
    gap: stateGapSchema
      .nullable()
      .meta({ description: 'The reason why the state is incomplete; `null` if it is complete.' }),
  })
  .meta({
    id: 'RunState',
    description: 'The state of a run after one of its events, computed by replaying its history.',
  });

export const getRunStateQuerySchema = z.strictObject({
  at: queryInteger(z.int().min(1)).optional().meta({ description: '`seq` of a run event. Default: the last one.' }),
});

export type RunState = z.infer<typeof runStateSchema>;
export type RunToken = z.infer<typeof runTokenSchema>;
export type TakenFlow = z.infer<typeof takenFlowSchema>;
export type StateGap = z.infer<typeof stateGapSchema>;
