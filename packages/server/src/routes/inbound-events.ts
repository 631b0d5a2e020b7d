import type { Handlers } from '../app/route-context.js';
import { omitUndefined, toHandlerResult } from './runs.js';

export const inboundEventHandlers: Pick<Handlers, 'listInboundEvents' | 'getInboundEvent' | 'redeliverInboundEvent'> = {
  listInboundEvents: async ({ services, request }) => {
    const { limit, cursor, status, ...rest } = request.query;
    const filter = {
      ...omitUndefined(rest),
      ...(status === 'duplicate' ? { repeated: true } : omitUndefined({ status })),
    };
    return { body: await services.app.inboundEvents.list(filter, { limit, ...omitUndefined({ cursor }) }) };
  },

  getInboundEvent: async ({ services, request }) => ({
    body: await services.app.inboundEvents.get(request.params.eventId),
  }),

  redeliverInboundEvent: async ({ services, request, caller }) => {
    const commandResponse = await services.app.inboundEvents.redeliver(request.params.eventId, caller);
    services.metrics.recordCommand('redeliverInboundEvent');
    return toHandlerResult(commandResponse);
  },
};
