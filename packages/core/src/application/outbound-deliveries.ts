import { inject, injectable } from 'inversify';
import { ApiError, toRecordedActor } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import { OutboundDeliveryStore, type OutboundDeliveryFilter } from '../ports/outbound-deliveries.js';
import type { PageRequest } from '../ports/records.js';
import type { Caller } from './caller.js';
import type { PageView } from './run-queries.js';
import { toOutboundDeliveryView, type OutboundDeliveryView } from './views/outbound-delivery-view.js';

/** Lists and redelivers outbound deliveries. */
@injectable()
export class OutboundDeliveries {
  constructor(
    @inject(OutboundDeliveryStore) private readonly store: OutboundDeliveryStore,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Returns the outbound deliveries, newest first.
   *
   * @throws {ApiError} `invalid_cursor`
   */
  async list(filter: OutboundDeliveryFilter, page: PageRequest): Promise<PageView<OutboundDeliveryView>> {
    const { items, nextCursor } = await this.store.list(filter, page);
    return { items: items.map(toOutboundDeliveryView), nextCursor };
  }

  /**
   * Makes a delivery due immediately, in any status, with all attempts available again.
   *
   * @throws {ApiError} `outbound_delivery_not_found`
   */
  async redeliver(deliveryId: string, { actor, from, traceId }: Caller): Promise<OutboundDeliveryView> {
    const delivery = await this.store.redeliver(deliveryId, {
      at: this.clock.now(),
      actor: toRecordedActor(actor),
      action: 'outbound_delivery.redeliver',
      target: { type: 'outbound_delivery', id: deliveryId },
      result: 'ok',
      from,
      data: { traceId },
    });
    if (delivery === undefined)
      throw new ApiError('outbound_delivery_not_found', `There is no outbound delivery ${deliveryId}.`);
    return toOutboundDeliveryView(delivery);
  }
}
