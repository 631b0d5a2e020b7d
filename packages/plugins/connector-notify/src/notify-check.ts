import { inject, injectable } from 'inversify';
import { isoTime, OutboundDeliveryStore, type Live, type ReadinessCheckContribution, type ReadinessResult } from '@countersign/core/plugin';
import { LiveNotifyConfiguration, type NotifyConfiguration } from './configuration.js';

/** Tells of endpoints that get nothing any more. They keep nobody else from working. */
@injectable()
export class NotifyCheck implements ReadinessCheckContribution {
  readonly name = 'notifications';

  constructor(
    @inject(OutboundDeliveryStore) private readonly deliveries: OutboundDeliveryStore,
    @inject(LiveNotifyConfiguration) private readonly configuration: Live<NotifyConfiguration>,
  ) {}

  async check(): Promise<ReadinessResult> {
    const known = new Set(this.configuration.current.Connectors.Notify.Endpoints.map(({ Id }) => Id));
    const troubled = (await this.deliveries.troubledEndpoints()).filter(({ endpointId }) => known.has(endpointId));
    const said = troubled.map(({ endpointId, failingSince, disabledAt }) =>
      disabledAt === null ? `"${endpointId}" fails since ${isoTime(failingSince)}` : `"${endpointId}" is disabled since ${isoTime(disabledAt)}; a redelivery that succeeds enables it`,
    );
    return said.length === 0 ? { status: 'ok', detail: 'All endpoints take what they get.' } : { status: 'warn', detail: `${said.join('; ')}.` };
  }
}
