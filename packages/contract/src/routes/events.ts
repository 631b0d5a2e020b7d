import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import { auditEventListSchema, listAuditEventsQuerySchema } from '../schemas/audit-event.js';
import { auditTrailSchema, exportAuditTrailQuerySchema } from '../schemas/audit-trail.js';
import { changeSchema } from '../schemas/change.js';
import { listRunEventsQuerySchema, runEventListSchema, runEventSchema } from '../schemas/run-event.js';
import { runParams } from './params.js';
import { json } from './respond.js';

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
      'Oldest first. With `Accept: text/event-stream` they are streamed: `id` is the `seq`, `Last-Event-ID` (or `after`) resumes without loss, ' +
      'without it the stream begins at the first event, and it ends after the event that ends the run.',
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
        description: 'To a request for a stream: the run has ended, and there are no events after the one named.',
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
    summary: 'Follow what changes',
    description:
      'What a list or an inbox needs to stay current. `id` is opaque; `Last-Event-ID` resumes, and no change is skipped, however late it was committed. ' +
      'Without it the stream begins now. An event named `reset` says: load the lists again. Either the changes since then are no longer kept, or other people are away than before, which shows in any number of approvals.',
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
      'What people, agents, connectors and operators did, or were refused. Across runs it needs the role admin; with `runId` operator is enough.',
    role: 'operator',
    query: listAuditEventsQuerySchema,
    responses: { 200: json(auditEventListSchema, 'A page of audit events.') },
    errors: [],
  }),
  exportAuditTrail: defineRoute({
    operationId: 'exportAuditTrail',
    method: 'get',
    path: '/api/audit-trail',
    tag: 'events',
    summary: "Export the server's audit chain",
    description:
      'What belongs to no run: deployments, absences, keys, settings, exports and refusals, with all that their hashes cover. `countersign verify` checks it without the server. ' +
      'Long chains come in parts: go on with `nextAfter`; `chain.previous` of each part is `chain.head` of the one before.',
    role: 'admin',
    query: exportAuditTrailQuerySchema,
    responses: { 200: json(auditTrailSchema, 'The part of the chain.') },
    errors: [],
  }),
};
