import { defineRoute } from '../define-route.js';
import {
  listRecordedEventsQuerySchema,
  recordedEventDetailSchema,
  recordedEventListSchema,
} from '../schemas/recorded-event.js';
import { inboundEventParams } from './params.js';
import { json } from './respond.js';

const one = {
  tag: 'webhooks',
  role: 'operator',
  params: inboundEventParams,
  notFound: 'inbound_event_not_found',
} as const;

export const inboundEventRoutes = {
  listInboundEvents: defineRoute({
    operationId: 'listInboundEvents',
    method: 'get',
    path: '/api/inbound-events',
    tag: 'webhooks',
    summary: 'List delivered events',
    description:
      'Newest first: what other systems delivered, or were refused, and what became of it. Kept for `Storage:Postgres:InboundEventRetention`.',
    role: 'operator',
    query: listRecordedEventsQuerySchema,
    responses: { 200: json(recordedEventListSchema, 'A page of events, without their payloads.') },
    errors: [],
  }),
  getInboundEvent: defineRoute({
    ...one,
    operationId: 'getInboundEvent',
    method: 'get',
    path: '/api/inbound-events/{eventId}',
    summary: 'Get a delivered event with its payload',
    responses: { 200: json(recordedEventDetailSchema, 'The event.') },
    errors: [],
  }),
  redeliverInboundEvent: defineRoute({
    ...one,
    operationId: 'redeliverInboundEvent',
    method: 'post',
    path: '/api/inbound-events/{eventId}/redeliver',
    summary: 'Deliver an event again',
    description:
      'Of an event that is `unmatched` or `expired`: brings it to the runs that wait for it now. Where still nobody waits, it stays as it is (200, no `runIds`), ' +
      'and the same request may be made again. Who asks for it is who resumes the run.',
    responses: { 200: json(recordedEventDetailSchema, 'The event, and what became of it.') },
    errors: ['inbound_event_not_redeliverable', 'result_variable_reserved', 'conflict'],
    idempotent: true,
  }),
};
