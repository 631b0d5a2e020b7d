import { inject, injectable } from 'inversify';
import { ApiError, isApiError, toRecordedActor } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import { EnginePort, type CommandResponse } from '../ports/engine.js';
import type { InboundEventFilter } from '../ports/inbound-events.js';
import type { PageRequest } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { buildRequestContext, type Caller } from './caller.js';
import { requireCapability } from './require-capability.js';
import type { PageView } from './run-queries.js';
import {
  toInboundEventDetailView,
  toInboundEventView,
  type InboundEventDetailView,
  type InboundEventView,
} from './views/inbound-event-view.js';

/** Lists and redelivers inbound events. */
@injectable()
export class InboundEvents {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /** Returns the inbound events, newest first. */
  async list(filter: InboundEventFilter, page: PageRequest): Promise<PageView<InboundEventView>> {
    const { items, nextCursor } = await this.storage.listInboundEvents(filter, page);
    return { items: items.map(toInboundEventView), nextCursor };
  }

  /** @throws {ApiError} `inbound_event_not_found` */
  async get(eventId: string): Promise<InboundEventDetailView> {
    const event = await this.storage.findInboundEvent(eventId);
    if (event === undefined) throw new ApiError('inbound_event_not_found', `There is no inbound event ${eventId}.`);
    return toInboundEventDetailView(event);
  }

  /**
   * Redelivers an event that no run has received to the runs that wait for it now. The response is the updated event.
   *
   * @throws {ApiError} `inbound_event_not_found`, `inbound_event_not_redeliverable`, or the refusal of the run
   */
  async redeliver(eventId: string, caller: Caller): Promise<CommandResponse<InboundEventDetailView>> {
    requireCapability(this.engine, 'event_redelivery');
    try {
      const { duplicate: replayed } = await this.engine.redeliverEvent({
        eventId,
        context: buildRequestContext(caller, 'redeliverInboundEvent', { eventId }),
      });
      if (!replayed) await this.recordRedelivery(eventId, caller, null);
      return { response: await this.get(eventId), replayed };
    } catch (error) {
      if (isApiError(error)) await this.recordRedelivery(eventId, caller, error.code);
      throw error;
    }
  }

  private recordRedelivery(eventId: string, { actor, from, traceId }: Caller, code: string | null): Promise<void> {
    return this.storage.appendAudit([
      {
        at: this.clock.now(),
        actor: toRecordedActor(actor),
        action: 'inboundEvent.redeliver',
        target: { type: 'inboundEvent', id: eventId },
        result: code === null ? 'ok' : 'refused',
        from,
        data: code === null ? { traceId } : { traceId, code },
      },
    ]);
  }
}
