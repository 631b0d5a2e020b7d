import { z } from 'zod';
import { MAX_BULK_RUNS } from '../limits.js';
import { commentSchema, idSchema } from './common.js';
import { listRunsQuerySchema } from './run-commands.js';
import { runOutcomeSchema, runSchema, runStatusSchema } from './run.js';

const runIdsSchema = z.array(idSchema).min(1).max(MAX_BULK_RUNS).meta({
  description: 'The runs to change. Required without `dryRun`: send the runs that the plan lists.',
});
const filterSchema = listRunsQuerySchema
  .omit({ limit: true, cursor: true })
  .meta({ description: 'Only with `dryRun`: the runs that `GET /api/runs` lists with these filters.' });

export const bulkCancelBodySchema = z
  .strictObject({
    runIds: runIdsSchema.optional(),
    filter: filterSchema.optional(),
    reason: z.string().min(1).max(2000).optional().meta({
      description: 'Recorded in the history of each run. Required, except with `dryRun`.',
      example: 'Started on the wrong branch.',
    }),
  })
  .meta({ id: 'BulkCancel', description: 'Either `runIds` or, with `dryRun`, `filter`.' });

export const bulkRecoverBodySchema = z
  .strictObject({ runIds: runIdsSchema.optional(), filter: filterSchema.optional(), comment: commentSchema.optional() })
  .meta({ id: 'BulkRecover', description: 'Either `runIds` or, with `dryRun`, `filter`.' });

export const BULK_EXCLUSIONS = Object.freeze([
  'run_not_found',
  'run_already_ended',
  'run_cancelling',
  'run_not_recoverable',
  'cancelled_with_caller',
] as const);

export const bulkRunPlanSchema = z
  .object({
    dryRun: z.literal(true),
    operation: z.enum(['cancel', 'recover']),
    matched: z.int().min(0).meta({ description: 'Number of selected runs among those that were read.' }),
    affected: z.int().min(0).meta({ description: 'Number of runs that would change: the length of `runIds`.' }),
    runIds: z.array(idSchema).meta({ description: 'The runs that would change. Send them to execute the operation.' }),
    truncated: z.boolean().meta({
      description: `There may be more runs than one request accepts (${MAX_BULK_RUNS.toLocaleString('en')}), or than a plan reads. Send the listed runs, then request another plan.`,
    }),
    excluded: z
      .array(
        z.object({
          code: z.enum(BULK_EXCLUSIONS).meta({
            description:
              'The error code that the run would get; `cancelled_with_caller`: the run is cancelled together with a selected run that is its direct or indirect parent.',
          }),
          count: z.int().min(1),
        }),
      )
      .meta({ description: 'The runs that would not change, by reason.' }),
    void: z
      .object({ approvals: z.int().min(0), questions: z.int().min(0), events: z.int().min(0), timers: z.int().min(0) })
      .meta({
        description:
          'Everything that these runs and their child runs wait for, and that a cancellation withdraws. All 0 for a recovery.',
      }),
    retry: z.int().min(0).meta({ description: 'Failed steps that would be retried. 0 for a cancellation.' }),
    sample: z.array(runSchema).max(20).meta({ description: 'The first of the runs that would change.' }),
  })
  .meta({ id: 'BulkRunPlan', description: 'The plan of a bulk operation; nothing has been changed.' });

export const bulkRunResultSchema = z
  .object({
    operation: z.enum(['cancel', 'recover']),
    succeeded: z.int().min(0),
    failed: z.int().min(0),
    results: z
      .array(
        z
          .object({
            runId: idSchema,
            ok: z.boolean(),
            status: runStatusSchema
              .nullable()
              .meta({ description: 'Status of the run after the operation; `null` if it failed.' }),
            outcome: runOutcomeSchema.nullable(),
            error: z
              .object({
                code: z.string().meta({
                  description: 'The error code, as returned by the operation on a single run.',
                  example: 'run_already_ended',
                }),
                detail: z.string(),
                retryable: z.boolean(),
              })
              .nullable()
              .meta({ description: 'The reason why the operation failed; `null` if it succeeded.' }),
          })
          .meta({ id: 'BulkRunItem' }),
      )
      .meta({ description: 'One result for each run, in the order of the request.' }),
  })
  .meta({ id: 'BulkRunResult' });

export type BulkCancelBody = z.output<typeof bulkCancelBodySchema>;
export type BulkRecoverBody = z.output<typeof bulkRecoverBodySchema>;
export type BulkRunPlan = z.infer<typeof bulkRunPlanSchema>;
export type BulkRunResult = z.infer<typeof bulkRunResultSchema>;
