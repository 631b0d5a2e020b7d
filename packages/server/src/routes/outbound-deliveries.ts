import type { Handlers } from '../app/route-context.js';
import { omitUndefined } from './runs.js';

export const outboundDeliveryHandlers: Pick<Handlers, 'listOutboundDeliveries' | 'redeliverOutboundDelivery'> = {
  listOutboundDeliveries: async ({ services, request }) => {
    const { limit, cursor, ...filter } = request.query;
    return {
      body: await services.app.outboundDeliveries.list(omitUndefined(filter), { limit, ...omitUndefined({ cursor }) }),
    };
  },

  redeliverOutboundDelivery: async ({ services, request, caller }) => {
    const delivery = await services.app.outboundDeliveries.redeliver(request.params.deliveryId, caller);
    services.metrics.recordCommand('redeliverOutboundDelivery');
    return { body: delivery };
  },
};
