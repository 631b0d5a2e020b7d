import { defineRoute } from '../define-route.js';
import {
  listRecordedEventsQuerySchema,
  recordedEventDetailSchema,
  recordedEventListSchema,
} from '../schemas/recorded-event.js';
import { inboundEventParams } from './params.js';
import { jsonResponse } from './json-response.js';

const inboundEventRoute = {
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
    summary: 'List inbound events',
    description:
      'Lists accepted and refused inbound events with their outcomes, newest first. Events are stored for `Storage:Postgres:InboundEventRetention`.',
    role: 'operator',
    query: listRecordedEventsQuerySchema,
    responses: { 200: jsonResponse(recordedEventListSchema, 'A page of events, without their payloads.') },
    errors: [],
  }),
  getInboundEvent: defineRoute({
    ...inboundEventRoute,
    operationId: 'getInboundEvent',
    method: 'get',
    path: '/api/inbound-events/{eventId}',
    summary: 'Get an inbound event with its payload',
    responses: { 200: jsonResponse(recordedEventDetailSchema, 'The event.') },
    errors: [],
  }),
  redeliverInboundEvent: defineRoute({
    ...inboundEventRoute,
    operationId: 'redeliverInboundEvent',
    method: 'post',
    path: '/api/inbound-events/{eventId}/redeliver',
    summary: 'Redeliver an inbound event',
    description:
      'Correlates an inbound event that is `unmatched` or `expired` with the runs that wait for it now. If no run waits, the event is unchanged (200, no `runIds`), ' +
      'and the request may be repeated. The caller is recorded as the user who resumed the run.',
    responses: { 200: jsonResponse(recordedEventDetailSchema, 'The event with its outcome.') },
    errors: ['inbound_event_not_redeliverable', 'result_variable_reserved', 'conflict', 'not_supported_by_engine'],
    idempotent: true,
  }),
};
