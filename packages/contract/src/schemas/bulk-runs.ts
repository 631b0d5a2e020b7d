import { z } from 'zod';
import { commentSchema, idSchema } from './common.js';
import { listRunsQuerySchema } from './run-commands.js';
import { runOutcomeSchema, runSchema, runStatusSchema } from './run.js';

/** Maximum number of runs that one request cancels or recovers. */
export const MAX_BULK_RUNS = 1_000;

const runIdsSchema = z.array(idSchema).min(1).max(MAX_BULK_RUNS).meta({
  description: 'Exactly these runs. Without `dryRun` the only way to say which: send those that the plan names.',
});
const filterSchema = listRunsQuerySchema
  .omit({ limit: true, cursor: true })
  .meta({ description: 'Only with `dryRun`: the runs that `GET /api/runs` lists with these filters.' });

export const bulkCancelBodySchema = z
  .strictObject({
    runIds: runIdsSchema.optional(),
    filter: filterSchema.optional(),
    reason: z.string().min(1).max(2000).optional().meta({
      description: 'For the history of each run. Needed, except with `dryRun`.',
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
    matched: z.int().min(0).meta({ description: 'Runs that were meant, of those that were looked at.' }),
    affected: z.int().min(0).meta({ description: 'How many of them it would be done to: the length of `runIds`.' }),
    runIds: z.array(idSchema).meta({ description: 'Those that it would be done to. Send them to do it.' }),
    truncated: z.boolean().meta({
      description: `There may be more than one request takes (${MAX_BULK_RUNS.toLocaleString('en')}), or than a plan looks through. Do these, then ask again.`,
    }),
    excluded: z
      .array(
        z.object({
          code: z.enum(BULK_EXCLUSIONS).meta({
            description:
              'The error that it would answer; `cancelled_with_caller`: a run that has called it, at first or second hand, is cancelled and takes it along.',
          }),
          count: z.int().min(1),
        }),
      )
      .meta({ description: 'Those that it would not be done to, by reason.' }),
    void: z
      .object({ approvals: z.int().min(0), questions: z.int().min(0), events: z.int().min(0), timers: z.int().min(0) })
      .meta({
        description:
          'What these runs wait for, with those that they have called, and what a cancellation withdraws. All 0 for a recovery.',
      }),
    retry: z.int().min(0).meta({ description: 'Failed steps that would be tried again. 0 for a cancellation.' }),
    sample: z.array(runSchema).max(20).meta({ description: 'The first of the runs that it would be done to.' }),
  })
  .meta({ id: 'BulkRunPlan', description: 'What a bulk operation would do; nothing has been changed.' });

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
              .meta({ description: 'Of the run after it; `null` where it was not done.' }),
            outcome: runOutcomeSchema.nullable(),
            error: z
              .object({
                code: z
                  .string()
                  .meta({ description: 'As the operation on one run answers it.', example: 'run_already_ended' }),
                detail: z.string(),
                retryable: z.boolean(),
              })
              .nullable()
              .meta({ description: 'Why it was not done; `null` where it was.' }),
          })
          .meta({ id: 'BulkRunItem' }),
      )
      .meta({ description: 'One for each run, in the order of the request.' }),
  })
  .meta({ id: 'BulkRunResult' });

export type BulkCancelBody = z.output<typeof bulkCancelBodySchema>;
export type BulkRecoverBody = z.output<typeof bulkRecoverBodySchema>;
export type BulkRunPlan = z.infer<typeof bulkRunPlanSchema>;
export type BulkRunResult = z.infer<typeof bulkRunResultSchema>;
