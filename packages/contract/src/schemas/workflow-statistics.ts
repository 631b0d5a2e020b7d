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
        'Number of started steps. `active`, `waiting`, `completed`, `failed` and `cancelled` count these steps by their current status; their sum is this number.',
    }),
    active: countSchema,
    waiting: countSchema,
    completed: countSchema,
    failed: countSchema,
    cancelled: countSchema,
    durationMs: z.object({ median: durationSchema, p95: durationSchema, max: durationSchema }).meta({
      description: 'Duration of completed steps in milliseconds; `null` if there are none.',
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
          'Approvals that the element requested; `null` if it never did. Approvals that are neither resolved nor withdrawn nor expired are pending.',
      }),
  })
  .meta({ id: 'ElementStatistics' });

export const workflowStatisticsSchema = z
  .object({
    workflowId: workflowIdSchema,
    version: versionSchema.nullable().meta({ description: '`null`: all versions.' }),
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
      .meta({ description: 'The sampled runs by outcome, or by status if a run has no outcome; `failed` is both.' }),
    elements: z
      .array(elementStatisticsSchema)
      .meta({ description: 'Elements that any sampled run has entered, by id.' }),
    sample: z
      .object({
        complete: z
          .boolean()
          .meta({ description: 'Whether all matching runs were sampled. If not, these are the newest.' }),
        mostRuns: countSchema.meta({ description: 'Maximum number of sampled runs.' }),
        mostEvents: countSchema.meta({ description: 'Maximum number of sampled run events.' }),
        oldestStartedAt: timestampSchema.nullable().meta({ description: 'Start time of the oldest sampled run.' }),
      })
      .meta({ description: 'The sample limits the cost of a response, regardless of the number of runs.' }),
    computedAt: timestampSchema.meta({ description: 'The response may be some seconds old.' }),
  })
  .meta({
    id: 'WorkflowStatistics',
    description: 'How often the elements of a workflow were entered, with outcomes and durations.',
  });

export const getWorkflowStatisticsQuerySchema = z.strictObject({
  version: queryInteger(versionSchema)
    .optional()
    .meta({ description: 'Only runs on this version. Default: all versions.' }),
  startedAfter: timestampInputSchema.optional(),
  startedBefore: timestampInputSchema.optional(),
});

export type WorkflowStatistics = z.infer<typeof workflowStatisticsSchema>;
export type ElementStatistics = z.infer<typeof elementStatisticsSchema>;
