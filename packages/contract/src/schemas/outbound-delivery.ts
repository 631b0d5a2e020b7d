import { z } from 'zod';
import { elementIdSchema, idSchema, timestampSchema } from './common.js';
import { listOf } from './list.js';
import { pageQueryShape } from './query.js';

const statusSchema = z.enum(['pending', 'delivered', 'failed']).meta({
  id: 'OutboundDeliveryStatus',
  description: '`pending` until it is `delivered`, or has `failed` as often as it is tried.',
});
const endpointIdSchema = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'The `Id` of an endpoint in `Connectors:Notify:Endpoints`.', example: 'release-desk' });

export const outboundDeliverySchema = z
  .object({
    deliveryId: idSchema.meta({
      description: 'The job that asked for it, if a run did; also the `webhook-id` of every attempt.',
    }),
    runId: idSchema.nullable().meta({ description: '`null` for notices of signing keys, which no run asks for.' }),
    elementId: elementIdSchema.nullable(),
    endpointId: endpointIdSchema,
    contentType: z.string(),
    status: statusSchema,
    held: z.boolean().meta({ description: 'Whether it waits for its endpoint, which is disabled.' }),
    attempts: z.int().min(0).meta({ description: 'Made so far, since it was last asked for.' }),
    statusCode: z
      .int()
      .nullable()
      .meta({ description: 'What the endpoint answered last; `null` where there was no answer.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'What went wrong last, by a stable code.', example: 'http_status_503' }),
    acceptedAt: timestampSchema,
    lastAttemptAt: timestampSchema.nullable(),
    nextAttemptAt: timestampSchema.nullable(),
    endedAt: timestampSchema.nullable(),
  })
  .meta({
    id: 'OutboundDelivery',
    description: 'A notification on its way to an endpoint of another system. What it says is not shown.',
  });

export const outboundDeliveryListSchema = listOf(outboundDeliverySchema, 'OutboundDeliveryList');

export const listOutboundDeliveriesQuerySchema = z.strictObject({
  status: statusSchema.optional(),
  endpointId: endpointIdSchema.optional(),
  runId: idSchema.optional(),
  ...pageQueryShape,
});

export type OutboundDelivery = z.infer<typeof outboundDeliverySchema>;
