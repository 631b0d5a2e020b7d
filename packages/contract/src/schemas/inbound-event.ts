import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';
import { idSchema, jsonObjectSchema } from './common.js';

export const inboundEventBodySchema = z
  .strictObject({
    messageName: z.string().min(1).max(MAX_NAME_LENGTH),
    correlationKey: z.string().min(1).max(MAX_NAME_LENGTH),
    payload: jsonObjectSchema.meta({ description: 'Data of the event. Its fields become variables of the run.' }),
  })
  .meta({ id: 'InboundEvent' });

export const inboundEventResultSchema = z
  .object({
    eventId: idSchema,
    resumed: z.boolean(),
    duplicate: z.boolean().meta({
      description: 'Whether this event was received before; if so, the other fields repeat the first response.',
    }),
    runId: idSchema.nullable().meta({ description: 'The first of `runIds`.' }),
    runIds: z.array(idSchema).meta({ description: 'Runs that the event resumed, followed by runs that it started.' }),
    startedRunIds: z.array(idSchema),
    buffered: z
      .boolean()
      .meta({ description: 'Whether the event is buffered for runs that will wait for it (`BufferFor`).' }),
    messageName: z.string(),
    correlationKey: z.string(),
  })
  .meta({ id: 'InboundEventResult' });

export const codehostEventResultSchema = z
  .object({
    deliveryId: z.string(),
    event: z.string(),
    action: z.string().nullable(),
    duplicate: z.boolean(),
    startedRuns: z.array(idSchema),
    resumedRuns: z.array(idSchema),
  })
  .meta({ id: 'CodehostEventResult' });

export type InboundEventBody = z.infer<typeof inboundEventBodySchema>;
export type InboundEventResult = z.infer<typeof inboundEventResultSchema>;
export type CodehostEventResult = z.infer<typeof codehostEventResultSchema>;
