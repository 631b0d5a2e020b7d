import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import { idSchema } from '../schemas/common.js';
import {
  listOutboundDeliveriesQuerySchema,
  outboundDeliveryListSchema,
  outboundDeliverySchema,
} from '../schemas/outbound-delivery.js';
import { jsonResponse } from './json-response.js';

export const outboundDeliveryRoutes = {
  listOutboundDeliveries: defineRoute({
    operationId: 'listOutboundDeliveries',
    method: 'get',
    path: '/api/outbound-deliveries',
    tag: 'notifications',
    summary: 'List notifications',
    description:
      'Lists outbound deliveries, newest first. Finished deliveries are stored for `Connectors:Notify:KeepFor`.',
    role: 'operator',
    query: listOutboundDeliveriesQuerySchema,
    responses: { 200: jsonResponse(outboundDeliveryListSchema, 'A page of deliveries.') },
    errors: [],
  }),
  redeliverOutboundDelivery: defineRoute({
    operationId: 'redeliverOutboundDelivery',
    method: 'post',
    path: '/api/outbound-deliveries/{deliveryId}/redeliver',
    tag: 'notifications',
    summary: 'Send a notification again',
    description:
      'Repeats a delivery immediately, regardless of its status, with the same `webhook-id`, so that a receiver that already processed it can detect the duplicate. ' +
      'If the endpoint is disabled, one attempt is made; if it succeeds, the endpoint is enabled again and its waiting deliveries are sent.',
    role: 'operator',
    params: z.strictObject({ deliveryId: idSchema }),
    notFound: 'outbound_delivery_not_found',
    responses: { 200: jsonResponse(outboundDeliverySchema, 'The delivery, now pending again.') },
    errors: [],
  }),
};
