import { routes } from '@countersign/contract';
import { principalHasRole } from '../auth/principal.js';
import type { Handlers } from '../app/route-context.js';
import { createRefusal } from '../app/problem.js';
import { createForbiddenAuditEntry } from '../middleware/forbidden-audit-entry.js';
import { wantsStream } from '../middleware/media-types.js';
import { streamChanges } from '../sse/stream-changes.js';
import { streamRunEvents } from '../sse/stream-run-events.js';
import { omitUndefined } from './runs.js';

export const eventHandlers: Pick<Handlers, 'listRunEvents' | 'streamChanges' | 'listAuditEvents' | 'exportAuditTrail'> =
  {
    listRunEvents: async (exchange) => {
      const { ctx, services, request } = exchange;
      const { runId } = request.params;
      const { limit, cursor, after } = request.query;
      if (!wantsStream(ctx))
        return { body: await services.app.history.listEvents({ runId, limit, ...omitUndefined({ cursor, after }) }) };
      await streamRunEvents(exchange, runId, parseLastEventId(ctx.headers['last-event-id']) ?? after ?? 0);
      return undefined;
    },

    streamChanges: async (exchange) => {
      const position = exchange.ctx.headers['last-event-id'];
      await streamChanges(exchange, typeof position === 'string' && position !== '' ? position : undefined);
      return undefined;
    },

    listAuditEvents: async ({ ctx, services, request, principal, caller }) => {
      const { limit, ...rest } = request.query;
      if (rest.runId === undefined && !principalHasRole(principal, 'admin')) {
        await services.audit.record(
          createForbiddenAuditEntry(
            { ...routes.listAuditEvents, role: 'admin' },
            {},
            principal,
            ctx.ip,
            services.clock.now(),
          ),
        );
        throw createRefusal('forbidden', 'Only the role admin may list the audit events of all runs. Specify a runId.');
      }
      const body = await services.app.history.listAudit({ limit, ...omitUndefined(rest) });
      if (rest.runId === undefined)
        await services.exportAudit.recordOnce(caller, 'audit.export', { type: 'audit', id: 'all' });
      return { body };
    },

    exportAuditTrail: async ({ services, request, caller }) => {
      const body = await services.app.auditTrail.export(request.query, caller);
      await services.exportAudit.recordOnce(caller, 'audit.export', { type: 'audit', id: 'server' });
      return { body };
    },
  };

function parseLastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  const error = {
    pointer: '/headers/last-event-id',
    code: 'invalid',
    message: 'Must be the id of an event of this stream.',
  };
  throw createRefusal('invalid_parameter', 'The Last-Event-ID is not from this stream.', { errors: [error] });
}
