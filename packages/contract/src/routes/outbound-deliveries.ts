import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import { idSchema } from '../schemas/common.js';
import {
  listOutboundDeliveriesQuerySchema,
  outboundDeliveryListSchema,
  outboundDeliverySchema,
} from '../schemas/outbound-delivery.js';
import { json } from './respond.js';

export const outboundDeliveryRoutes = {
  listOutboundDeliveries: defineRoute({
    operationId: 'listOutboundDeliveries',
    method: 'get',
    path: '/api/outbound-deliveries',
    tag: 'notifications',
    summary: 'List notifications',
    description: 'Newest first. Those that have come to an end are kept for `Connectors:Notify:KeepFor`.',
    role: 'operator',
    query: listOutboundDeliveriesQuerySchema,
    responses: { 200: json(outboundDeliveryListSchema, 'A page of deliveries.') },
    errors: [],
  }),
  redeliverOutboundDelivery: defineRoute({
    operationId: 'redeliverOutboundDelivery',
    method: 'post',
    path: '/api/outbound-deliveries/{deliveryId}/redeliver',
    tag: 'notifications',
    summary: 'Send a notification again',
    description:
      'Makes a delivery again, at once, whatever became of it, under the same `webhook-id`: a receiver that has it takes it for a repeat. ' +
      'It is tried once also where the endpoint is disabled; if it arrives, the endpoint is enabled again, and what waited for it is sent.',
    role: 'operator',
    params: z.strictObject({ deliveryId: idSchema }),
    notFound: 'outbound_delivery_not_found',
    responses: { 200: json(outboundDeliverySchema, 'The delivery, which is pending again.') },
    errors: [],
  }),
};
