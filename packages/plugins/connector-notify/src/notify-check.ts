import { inject, injectable } from 'inversify';
import type { Live, ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { OutboundDeliveryStore } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import { LiveNotifyConfiguration, type NotifyConfiguration } from './configuration.js';
import { endpointFault } from './endpoint-fault.js';

/** Warns about endpoints that no longer receive anything. They do not make the server unready. */
@injectable()
export class NotifyCheck implements ReadinessCheckContribution {
  readonly name = 'notifications';

  constructor(
    @inject(OutboundDeliveryStore) private readonly deliveries: OutboundDeliveryStore,
    @inject(LiveNotifyConfiguration) private readonly configuration: Live<NotifyConfiguration>,
  ) {}

  async check(): Promise<ReadinessResult> {
    const { Endpoints, SigningKeyEndpoints } = this.configuration.current.Connectors.Notify;
    const known = new Set(Endpoints.map(({ Id }) => Id));
    const faults = Endpoints.map(endpointFault).filter((fault) => fault !== undefined);
    for (const id of SigningKeyEndpoints)
      if (!known.has(id))
        faults.push(`"${id}" in Connectors:Notify:SigningKeyEndpoints is not an Id in Connectors:Notify:Endpoints.`);
    const troubled = (await this.deliveries.failingEndpoints()).filter(({ endpointId }) => known.has(endpointId));
    const said = troubled.map(({ endpointId, failingSince, disabledAt }) =>
      disabledAt === null
        ? `"${endpointId}" has been failing since ${isoTime(failingSince)}`
        : `"${endpointId}" has been disabled since ${isoTime(disabledAt)}; a successful redelivery enables it`,
    );
    if (said.length > 0) faults.push(`${said.join('; ')}.`);
    return faults.length === 0
      ? { status: 'ok', detail: 'All endpoints accept their deliveries.' }
      : { status: 'warn', detail: faults.join(' ') };
  }
}
