import { inject, injectable } from 'inversify';
import {
  type Live,
  OutboundHttpPort,
  type SettingsTestCheck,
  type SettingsTestContribution,
  SettingsTestFailure,
} from '@countersign/core/plugin';
import { LiveNotifyConfiguration, type Endpoint, type NotifyConfiguration } from './configuration.js';
import { endpointFault } from './endpoint-fault.js';

/** Tries whether the hosts of all endpoints answer, and tells none of them anything. */
@injectable()
export class NotifySettingsTest implements SettingsTestContribution {
  readonly target = 'notifications';

  constructor(
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(LiveNotifyConfiguration) private readonly configuration: Live<NotifyConfiguration>,
  ) {}

  checks(): readonly SettingsTestCheck[] {
    return this.configuration.current.Connectors.Notify.Endpoints.map((endpoint) => ({
      name: `Endpoint ${endpoint.Id}`,
      run: () => this.reach(endpoint),
    }));
  }

  private async reach(endpoint: Endpoint): Promise<string> {
    const fault = endpointFault(endpoint);
    if (fault !== undefined) throw new SettingsTestFailure(fault);
    // The host alone: what stands behind it may be a secret, and may act on whatever it is asked.
    const { origin, host } = new URL(endpoint.Url.reveal());
    const { status } = await this.http.send({
      method: 'HEAD',
      url: origin,
      allowedHosts: [host],
      maxRedirects: 0,
      timeoutMs: this.configuration.current.Connectors.Notify.Timeout,
    });
    return `${host} answers (status ${status}).`;
  }
}
