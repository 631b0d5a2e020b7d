import { inject, injectable } from 'inversify';
import type { Live, ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { OutboundDeliveryStore } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import { LiveNotifyConfiguration, type NotifyConfiguration } from './configuration.js';
import { findEndpointProblem } from './endpoint-problem.js';

/** Warns about endpoints that are invalid, failing or disabled. They do not make the server unready. */
@injectable()
export class NotifyCheck implements ReadinessCheckContribution {
  readonly name = 'notifications';

  constructor(
    @inject(OutboundDeliveryStore) private readonly deliveries: OutboundDeliveryStore,
    @inject(LiveNotifyConfiguration) private readonly configuration: Live<NotifyConfiguration>,
  ) {}

  async check(): Promise<ReadinessResult> {
    const { Endpoints, SigningKeyEndpoints } = this.configuration.current.Connectors.Notify;
    const knownIds = new Set(Endpoints.map(({ Id }) => Id));
    const problems = Endpoints.map(findEndpointProblem).filter((problem) => problem !== undefined);
    for (const id of SigningKeyEndpoints)
      if (!knownIds.has(id))
        problems.push(`"${id}" in Connectors:Notify:SigningKeyEndpoints is not an Id in Connectors:Notify:Endpoints.`);
    const failingEndpoints = (await this.deliveries.failingEndpoints()).filter(({ endpointId }) =>
      knownIds.has(endpointId),
    );
    const statuses = failingEndpoints.map(({ endpointId, failingSince, disabledAt }) =>
      disabledAt === null
        ? `"${endpointId}" has been failing since ${isoTime(failingSince)}`
        : `"${endpointId}" has been disabled since ${isoTime(disabledAt)}; a successful redelivery enables it`,
    );
    if (statuses.length > 0) problems.push(`${statuses.join('; ')}.`);
    return problems.length === 0
      ? { status: 'ok', detail: 'All endpoints accept their deliveries.' }
      : { status: 'warn', detail: problems.join(' ') };
  }
}
