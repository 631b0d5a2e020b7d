import { RUN_EVENT_TYPES } from '@countersign/model';
import { z } from 'zod';
import { elementIdSchema, hashSchema, idSchema, jsonObjectSchema, principalSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape, queryInteger } from './query.js';

/** The type of a run event. */
export const runEventTypeSchema = z
  .enum(RUN_EVENT_TYPES)
  .meta({ description: 'Dotted name of the event type. Later versions may add types.', example: 'step.completed' });

export const runEventSchema = z
  .object({
    seq: z.int().min(1).meta({ description: 'Counted from 1 within the run, without gaps.' }),
    at: timestampSchema,
    type: runEventTypeSchema,
    version: z.int().min(1).meta({
      description:
        'Version of the members of `data` for this type. It increases if a member is removed or changes its meaning, not if one is added.',
    }),
    stepId: idSchema.nullable(),
    elementId: elementIdSchema.nullable(),
    actor: principalSchema.nullable(),
    data: jsonObjectSchema,
    erased: z
      .boolean()
      .meta({ description: 'Whether `actor` and free text of `data` are missing because they were erased.' }),
    hash: hashSchema.meta({ description: 'Link of the hash chain of the run.' }),
  })
  .meta({ id: 'RunEvent' });

export const runEventListSchema = buildListSchema(runEventSchema, 'RunEventList');

export const listRunEventsQuerySchema = z.strictObject({
  ...pageQueryShape,
  after: queryInteger(z.int().min(0)).optional().meta({ description: 'Only events with a greater `seq`.' }),
});

export type RunEvent = z.infer<typeof runEventSchema>;
/** The filters after validation, with defaults. */
export type ListRunEventsQuery = z.output<typeof listRunEventsQuerySchema>;
