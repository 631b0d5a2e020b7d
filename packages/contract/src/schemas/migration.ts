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
      'Elements of the version that the run is on, each with its counterpart in the target. Elements with the same id and type map to themselves.',
  });

export const migrateRunBodySchema = z
  .strictObject({
    version: versionSchema.meta({ description: 'The version of the same workflow that the run is moved to.' }),
    mapping: mappingSchema.optional(),
    comment: commentSchema.optional(),
  })
  .meta({ id: 'MigrateRun', example: { version: 3, mapping: { 'check-draft': 'review-draft' } } });

const workflowVersionSchema = z.object({ version: versionSchema, digest: digestSchema });

const plannedEventSchema = z
  .object({ elementId: z.string(), kind: z.string().meta({ description: 'What it waits for.', example: 'timer' }) })
  .meta({ id: 'PlannedEvent' });

export const migrationPlanSchema = z
  .object({
    dryRun: z.literal(true),
    operation: z.literal('migrate'),
    runId: idSchema,
    status: runStatusSchema.meta({ description: 'The status of the run now.' }),
    from: workflowVersionSchema,
    to: workflowVersionSchema,
    moves: z.array(z.object({ from: z.string(), to: z.string() })).meta({
      description:
        'Active elements and events that are waited for, each with its counterpart, those that map to themselves included.',
    }),
    opened: z
      .array(plannedEventSchema)
      .meta({ description: 'Events that only the target has, and that would be waited for from now on.' }),
    closed: z
      .array(plannedEventSchema)
      .meta({ description: 'Events that the target does not have, and that would be waited for no more.' }),
    restarted: z
      .array(z.string())
      .meta({ description: 'Work that no worker has begun yet, and that would be offered as the target has it.' }),
    askedAgain: z
      .array(waitingForSchema)
      .meta({ description: 'Pending approvals that would be void, and asked in a new round.' }),
    refusals: z
      .array(
        z
          .object({ code: z.string(), elementId: z.string().nullable(), reason: z.string() })
          .meta({ id: 'MigrationRefusal' }),
      )
      .meta({
        description: 'Why the run cannot be moved; empty where it can. Without a dry run: 409 `migration_refused`.',
      }),
    notes: z.array(z.string()).meta({ description: 'What a person should know before doing it.' }),
  })
  .meta({ id: 'MigrationPlan', description: 'What a migration would do; nothing has been changed.' });

export type MigrateRunBody = z.infer<typeof migrateRunBodySchema>;
export type MigrationPlan = z.infer<typeof migrationPlanSchema>;
