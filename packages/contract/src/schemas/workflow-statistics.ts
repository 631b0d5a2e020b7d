import { z } from 'zod';
import { elementIdSchema, timestampInputSchema, timestampSchema, versionSchema, workflowIdSchema } from './common.js';
import { queryInteger } from './query.js';

const countSchema = z.int().min(0);
const durationSchema = z.number().min(0).nullable();

export const elementStatisticsSchema = z
  .object({
    elementId: elementIdSchema,
    entered: countSchema.meta({
      description:
        'Steps that began. `active`, `waiting`, `completed`, `failed` and `cancelled` say what they are now, and sum up to it.',
    }),
    active: countSchema,
    waiting: countSchema,
    completed: countSchema,
    failed: countSchema,
    cancelled: countSchema,
    durationMs: z.object({ median: durationSchema, p95: durationSchema, max: durationSchema }).meta({
      description: 'Of completed steps, from their beginning to their end, in ms; `null` where there are none.',
    }),
    approvals: z
      .object({
        requested: countSchema,
        approved: countSchema,
        rejected: countSchema,
        changesRequested: countSchema,
        withdrawn: countSchema,
        expired: countSchema,
      })
      .nullable()
      .meta({
        description:
          'Approvals that the element has asked for; `null` where it never did. Those that are neither resolved nor withdrawn nor expired are pending.',
      }),
  })
  .meta({ id: 'ElementStatistics' });

export const workflowStatisticsSchema = z
  .object({
    workflowId: workflowIdSchema,
    version: versionSchema.nullable().meta({ description: '`null`: of all versions.' }),
    startedAfter: timestampSchema.nullable(),
    startedBefore: timestampSchema.nullable(),
    runs: z
      .object({
        total: countSchema,
        active: countSchema,
        blocked: countSchema,
        completed: countSchema,
        failed: countSchema,
        cancelled: countSchema,
        rejected: countSchema,
      })
      .meta({ description: 'What was looked at, by outcome, or by status where a run has none; `failed` is both.' }),
    elements: z.array(elementStatisticsSchema).meta({ description: 'Those that any run has entered, by their ids.' }),
    sample: z
      .object({
        complete: z
          .boolean()
          .meta({ description: 'Whether all runs that fit were looked at. If not, these are the newest.' }),
        mostRuns: countSchema.meta({ description: 'How many runs are looked at, at most.' }),
        mostEvents: countSchema.meta({ description: 'How many of their run events.' }),
        oldestStartedAt: timestampSchema
          .nullable()
          .meta({ description: 'When the oldest run that was looked at had been started.' }),
      })
      .meta({ description: 'The cost of an answer is bounded, whatever the number of runs.' }),
    computedAt: timestampSchema.meta({ description: 'The answer may be some seconds old.' }),
  })
  .meta({
    id: 'WorkflowStatistics',
    description: 'How often the elements of a workflow were entered, how that ended, and how long it took.',
  });

export const getWorkflowStatisticsQuerySchema = z.strictObject({
  version: queryInteger(versionSchema)
    .optional()
    .meta({ description: 'Only runs that are on this version; those of all where it is left out.' }),
  startedAfter: timestampInputSchema.optional(),
  startedBefore: timestampInputSchema.optional(),
});

export type WorkflowStatistics = z.infer<typeof workflowStatisticsSchema>;
export type ElementStatistics = z.infer<typeof elementStatisticsSchema>;
