import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import { auditEventListSchema, listAuditEventsQuerySchema } from '../schemas/audit-event.js';
import { auditTrailSchema, exportAuditTrailQuerySchema } from '../schemas/audit-trail.js';
import { changeSchema } from '../schemas/change.js';
import { listRunEventsQuerySchema, runEventListSchema, runEventSchema } from '../schemas/run-event.js';
import { runParams } from './params.js';
import { jsonResponse } from './json-response.js';

const eventStreamSchema = z
  .string()
  .meta({ description: 'Server-sent events. Comment lines keep the connection alive.' });

export const eventRoutes = {
  listRunEvents: defineRoute({
    operationId: 'listRunEvents',
    method: 'get',
    path: '/api/runs/{runId}/events',
    tag: 'events',
    summary: 'List or follow the events of a run',
    description:
      'Returns the events oldest first. With `Accept: text/event-stream`, they are streamed: `id` is the `seq`, and `Last-Event-ID` (or `after`) resumes without loss; ' +
      'without it, the stream starts at the first event. It ends after the event that ends the run.',
    role: 'viewer',
    params: runParams,
    notFound: 'run_not_found',
    query: listRunEventsQuerySchema,
    responses: {
      200: {
        description: 'A page of run events, or a stream of them.',
        content: { 'application/json': runEventListSchema, 'text/event-stream': eventStreamSchema },
      },
      204: {
        description: 'For a stream: the run has ended, and no events follow the given one.',
      },
    },
    stream: runEventSchema,
    errors: [],
  }),
  streamChanges: defineRoute({
    operationId: 'streamChanges',
    method: 'get',
    path: '/api/events',
    tag: 'events',
    summary: 'Follow the change feed',
    description:
      'Streams the changes that a list or an inbox needs to stay current. `id` is opaque; `Last-Event-ID` resumes without skipping a change, however late it was committed. ' +
      'Without it, the stream starts with the next change. On an event named `reset`, reload all lists: either the changes since then are no longer stored, or absences have changed, which affects any number of approvals.',
    role: 'viewer',
    responses: { 200: { description: 'A stream of changes.', content: { 'text/event-stream': eventStreamSchema } } },
    stream: changeSchema,
    errors: [],
  }),
  listAuditEvents: defineRoute({
    operationId: 'listAuditEvents',
    method: 'get',
    path: '/api/audit-events',
    tag: 'events',
    summary: 'List audit events',
    description:
      'Actions of users, agents and connectors, and refused attempts. Requires the role `admin`; with `runId`, the role `operator` is sufficient.',
    role: 'operator',
    query: listAuditEventsQuerySchema,
    responses: { 200: jsonResponse(auditEventListSchema, 'A page of audit events.') },
    errors: [],
  }),
  exportAuditTrail: defineRoute({
    operationId: 'exportAuditTrail',
    method: 'get',
    path: '/api/audit-trail',
    tag: 'events',
    summary: "Export the server's audit chain",
    description:
      'Audit events that belong to no run: deployments, absences, keys, settings, exports and refusals, with everything that their hashes cover. `countersign verify` checks them without the server. ' +
      'Long chains are exported in parts: continue with `nextAfter`. `chain.previous` of each part is `chain.head` of the previous part.',
    role: 'admin',
    query: exportAuditTrailQuerySchema,
    responses: { 200: jsonResponse(auditTrailSchema, 'A part of the chain.') },
    errors: [],
  }),
};
