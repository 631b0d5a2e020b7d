import { MAX_NAME_LENGTH, RUN_OUTCOMES, RUN_STATUSES } from '@countersign/model';
import { z } from 'zod';
import {
  commentSchema,
  elementIdSchema,
  idSchema,
  jsonObjectSchema,
  principalSchema,
  timestampInputSchema,
  versionSchema,
  workflowIdSchema,
} from './common.js';
import { riskLevelSchema } from './policy-decision.js';
import { pageQueryShape, queryBoolean, queryInteger, searchSchema } from './query.js';
import { runStatusSchema } from './run.js';
import { STEP_STATUSES } from './step.js';
import { engineNameSchema } from './workflow-engine.js';
import { WAIT_KINDS, waitingForSchema } from './waiting-for.js';

const businessKeySchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .meta({ description: 'Your own key for finding the run.', example: 'release-2026.11' });

export const startRunBodySchema = z
  .strictObject({
    workflowId: workflowIdSchema,
    version: versionSchema.optional().meta({ description: 'Default: the latest.' }),
    inputs: jsonObjectSchema.optional(),
    businessKey: businessKeySchema.optional(),
  })
  .meta({
    id: 'StartRun',
    example: { workflowId: 'release-approval', inputs: { repository: '/srv/my-service', from: 'v1.4.0', to: 'HEAD' } },
  });

export const evaluateConditionsBodySchema = z
  .strictObject({
    variables: jsonObjectSchema.meta({
      description: 'Variables for which the conditions are evaluated, and with which the runs start.',
    }),
    workflowId: workflowIdSchema
      .optional()
      .meta({ description: 'Only the start events of this workflow. Default: all workflows.' }),
    businessKey: businessKeySchema.optional(),
  })
  .meta({ id: 'EvaluateConditions', example: { variables: { stock: 3 } } });

const conditionalStartShape = {
  workflowId: workflowIdSchema,
  workflowVersion: versionSchema,
  elementId: elementIdSchema,
};

export const evaluatedConditionsSchema = z
  .object({
    runs: z
      .array(z.object({ runId: idSchema, ...conditionalStartShape }).meta({ id: 'RunStartedByCondition' }))
      .meta({ description: 'The started runs: one for each start event whose condition is true.' }),
    refused: z
      .array(
        z
          .object({
            ...conditionalStartShape,
            code: z.string().meta({ description: 'A stable error code.' }),
            message: z.string(),
          })
          .meta({ id: 'RefusedStart' }),
      )
      .meta({
        description:
          'Start events whose condition is true, but whose workflow refuses the variables. If `workflowId` is set and all start events are refused, the request fails with that error instead.',
      }),
  })
  .meta({ id: 'EvaluatedConditions' });

export const cancelRunBodySchema = z
  .strictObject({ reason: z.string().min(1).max(2000).meta({ example: 'Started on the wrong branch.' }) })
  .meta({ id: 'CancelRun' });

export const recoverRunBodySchema = z
  .strictObject({
    steps: z
      .array(idSchema)
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'The failed steps to retry. Default: all.' }),
    variables: jsonObjectSchema.optional().meta({ description: 'Variables to set before the retry.' }),
    comment: commentSchema.optional(),
  })
  .meta({ id: 'RecoverRun' });

const plannedStepSchema = z
  .object({
    stepId: idSchema,
    elementId: elementIdSchema,
    name: z.string().nullable(),
    status: z.enum(STEP_STATUSES).meta({ description: 'Its current status.' }),
  })
  .meta({ id: 'PlannedStep' });

const plannedCallSchema = z
  .object({
    runId: idSchema,
    parentRunId: idSchema.nullable(),
    workflowId: workflowIdSchema,
    status: runStatusSchema.meta({ description: 'Its current status.' }),
    compensate: z
      .array(plannedStepSchema)
      .meta({ description: 'Finished steps of the child run that would be compensated, in this order.' }),
  })
  .meta({ id: 'PlannedCall' });

export const runPlanSchema = z
  .object({
    dryRun: z.literal(true),
    operation: z.enum(['cancel', 'recover']),
    runId: idSchema,
    status: runStatusSchema.meta({ description: 'The current status of the run.' }),
    stop: z
      .array(plannedStepSchema)
      .meta({ description: 'Steps that would stop; a result that arrives later has no effect.' }),
    compensate: z
      .array(plannedStepSchema)
      .meta({ description: 'Finished steps that would be compensated, in this order.' }),
    calledRuns: z.array(plannedCallSchema).meta({
      description: 'Child runs, at all levels, that call activities of the run wait for; they would be cancelled, too.',
    }),
    void: z
      .array(waitingForSchema)
      .meta({ description: 'Approvals, questions, subscriptions and timers that would be withdrawn.' }),
    retry: z.array(plannedStepSchema).meta({ description: 'Failed steps that would be retried.' }),
    notes: z.array(z.string()).meta({ description: 'Warnings for the operator.' }),
  })
  .meta({ id: 'RunPlan', description: 'The plan of a cancellation or a recovery; nothing has been changed.' });

export const listRunsQuerySchema = z.strictObject({
  ...pageQueryShape,
  status: z.enum(RUN_STATUSES).optional(),
  outcome: z.enum(RUN_OUTCOMES).optional(),
  workflowId: workflowIdSchema.optional(),
  workflowVersion: queryInteger(versionSchema).optional(),
  engine: engineNameSchema.optional(),
  riskLevel: riskLevelSchema.optional(),
  startedBy: principalSchema.optional(),
  businessKey: businessKeySchema.optional(),
  startedAfter: timestampInputSchema.optional(),
  startedBefore: timestampInputSchema.optional(),
  waitingFor: z.enum(WAIT_KINDS).optional(),
  stuck: queryBoolean()
    .optional()
    .meta({ description: '`true`: active, waits for nothing and has made no progress for `Runs:StuckAfter`.' }),
  needsAttention: queryBoolean().optional().meta({
    description:
      '`true`: a step has failed and can be recovered, or the run is stuck (see `stuck`). Ended runs are not included: what people rejected or cancelled is decided, and the error of a failed child run is an error of its parent run.',
  }),
  parentRunId: idSchema.optional().meta({ description: 'Child runs of this run.' }),
  root: queryBoolean().optional().meta({ description: '`true`: runs without a parent run. `false`: child runs.' }),
  q: searchSchema.optional(),
});

/** Maximum of `count`; if more runs match, `exact` is false. */
export const MAX_COUNTED_RUNS = 10_000;

export const countRunsQuerySchema = listRunsQuerySchema.omit({ limit: true, cursor: true });

export const runCountSchema = z
  .object({
    count: z.int().min(0).max(MAX_COUNTED_RUNS),
    exact: z.boolean().meta({
      description:
        '`false`: at least `count` runs match, because the maximum count or the scan limit of the server was reached.',
    }),
  })
  .meta({ id: 'RunCount' });

export type StartRunBody = z.infer<typeof startRunBodySchema>;
export type EvaluateConditionsBody = z.infer<typeof evaluateConditionsBodySchema>;
export type EvaluatedConditions = z.infer<typeof evaluatedConditionsSchema>;
export type CancelRunBody = z.infer<typeof cancelRunBodySchema>;
export type RecoverRunBody = z.infer<typeof recoverRunBodySchema>;
export type RunPlan = z.infer<typeof runPlanSchema>;
export type PlannedStep = z.infer<typeof plannedStepSchema>;
export type RunCount = z.infer<typeof runCountSchema>;
/** The filters after validation, with defaults. */
export type ListRunsQuery = z.output<typeof listRunsQuerySchema>;
