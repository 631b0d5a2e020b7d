import { z } from 'zod';
import { commentSchema, digestSchema, elementIdSchema, idSchema, versionSchema } from './common.js';
import { runStatusSchema } from './run.js';
import { waitingForSchema } from './waiting-for.js';

const MAX_MAPPINGS = 1_000;

const mappingSchema = z
  .record(elementIdSchema, elementIdSchema)
  .refine((mapping) => Object.keys(mapping).length <= MAX_MAPPINGS, `At most ${MAX_MAPPINGS} elements.`)
  .meta({
    description:
      'Elements of the current version of the run, each with its counterpart in the target version. Elements with the same id and type are mapped automatically.',
  });

export const migrateRunBodySchema = z
  .strictObject({
    version: versionSchema.meta({ description: 'The target version of the same workflow.' }),
    mapping: mappingSchema.optional(),
    comment: commentSchema.optional(),
  })
  .meta({ id: 'MigrateRun', example: { version: 3, mapping: { 'check-draft': 'review-draft' } } });

const workflowVersionSchema = z.object({ version: versionSchema, digest: digestSchema });

const plannedEventSchema = z
  .object({
    elementId: z.string(),
    kind: z.string().meta({ description: 'Kind of the awaited event.', example: 'timer' }),
  })
  .meta({ id: 'PlannedEvent' });

export const migrationPlanSchema = z
  .object({
    dryRun: z.literal(true),
    operation: z.literal('migrate'),
    runId: idSchema,
    status: runStatusSchema.meta({ description: 'The current status of the run.' }),
    from: workflowVersionSchema,
    to: workflowVersionSchema,
    moves: z.array(z.object({ from: z.string(), to: z.string() })).meta({
      description:
        'Active elements and awaited events, each with its counterpart, including those that are mapped automatically.',
    }),
    opened: z
      .array(plannedEventSchema)
      .meta({ description: 'Events that exist only in the target version, and that the run would wait for.' }),
    closed: z.array(plannedEventSchema).meta({
      description: 'Events that do not exist in the target version, and that the run would no longer wait for.',
    }),
    restarted: z.array(z.string()).meta({
      description:
        'Elements with a job that no worker has claimed and that would be replaced by the job of the target version.',
    }),
    askedAgain: z
      .array(waitingForSchema)
      .meta({ description: 'Pending approvals that would be withdrawn and requested in a new round.' }),
    refusals: z
      .array(
        z
          .object({ code: z.string(), elementId: z.string().nullable(), reason: z.string() })
          .meta({ id: 'MigrationRefusal' }),
      )
      .meta({
        description:
          'The reasons why the run cannot be migrated; empty if it can. Without a dry run, the response is 409 `migration_refused`.',
      }),
    notes: z.array(z.string()).meta({ description: 'Warnings for the operator.' }),
  })
  .meta({ id: 'MigrationPlan', description: 'The plan of a migration; nothing has been changed.' });

export type MigrateRunBody = z.infer<typeof migrateRunBodySchema>;
export type MigrationPlan = z.infer<typeof migrationPlanSchema>;
