import { z } from 'zod';
import { elementIdSchema, hashSchema, idSchema, jsonObjectSchema, principalSchema, timestampSchema } from './common.js';
import { listOf } from './list.js';
import { pageQueryShape, queryInteger } from './query.js';

export const runEventSchema = z
  .object({
    seq: z.int().min(1).meta({ description: 'Counted from 1 within the run, without gaps.' }),
    at: timestampSchema,
    type: z.string().meta({ description: 'Dotted.', example: 'step.completed' }),
    stepId: idSchema.nullable(),
    elementId: elementIdSchema.nullable(),
    actor: principalSchema.nullable(),
    data: jsonObjectSchema,
    hash: hashSchema.meta({ description: 'The link of the hash chain of the run.' }),
  })
  .meta({ id: 'RunEvent' });

export const runEventListSchema = listOf(runEventSchema, 'RunEventList');

export const listRunEventsQuerySchema = z.strictObject({
  ...pageQueryShape,
  after: queryInteger(z.int().min(0)).optional().meta({ description: 'Only events with a greater `seq`.' }),
});

/** The types of event after which a run has no more of them. */
export const RUN_END_EVENTS = Object.freeze(['run.completed', 'run.failed', 'run.cancelled', 'run.rejected'] as const);

/** Whether the stream of run events ends after this one. */
export function endsRun(event: { readonly type: string }): boolean {
  return (RUN_END_EVENTS as readonly string[]).includes(event.type);
}

export type RunEvent = z.infer<typeof runEventSchema>;
/** The filters after validation, defaults filled in. */
export type ListRunEventsQuery = z.output<typeof listRunEventsQuerySchema>;
