import { z } from 'zod';
import { elementIdSchema, idSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';

const statusSchema = z.enum(['pending', 'delivered', 'failed']).meta({
  id: 'OutboundDeliveryStatus',
  description: '`pending` until it is `delivered`, or `failed` after the last attempt.',
});
const endpointIdSchema = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: '`Id` of an endpoint in `Connectors:Notify:Endpoints`.', example: 'release-desk' });

export const outboundDeliverySchema = z
  .object({
    deliveryId: idSchema.meta({
      description:
        'Also the `webhook-id` of every attempt. If a run requested the delivery, this is the id of its job.',
    }),
    runId: idSchema
      .nullable()
      .meta({ description: '`null` for notifications about signing keys, which belong to no run.' }),
    elementId: elementIdSchema.nullable(),
    endpointId: endpointIdSchema,
    contentType: z.string(),
    status: statusSchema,
    held: z.boolean().meta({ description: 'Whether the delivery waits because its endpoint is disabled.' }),
    attempts: z.int().min(0).meta({ description: 'Number of attempts since the delivery was last requested.' }),
    statusCode: z
      .int()
      .nullable()
      .meta({ description: 'Status of the last response of the endpoint; `null` if there was no response.' }),
    error: z.string().nullable().meta({ description: 'Stable code of the last error.', example: 'http_status_503' }),
    acceptedAt: timestampSchema,
    lastAttemptAt: timestampSchema.nullable(),
    nextAttemptAt: timestampSchema.nullable(),
    endedAt: timestampSchema.nullable(),
  })
  .meta({
    id: 'OutboundDelivery',
    description: 'A notification to an endpoint of another system, without its content.',
  });

export const outboundDeliveryListSchema = buildListSchema(outboundDeliverySchema, 'OutboundDeliveryList');

export const listOutboundDeliveriesQuerySchema = z.strictObject({
  status: statusSchema.optional(),
  endpointId: endpointIdSchema.optional(),
  runId: idSchema.optional(),
  ...pageQueryShape,
});

export type OutboundDelivery = z.infer<typeof outboundDeliverySchema>;
