import { inject, injectable } from 'inversify';
import {
  type Live,
  OutboundHttpPort,
  type SettingsTestCheck,
  type SettingsTestContribution,
  SettingsTestFailure,
} from '@countersign/core/plugin';
import { LiveNotifyConfiguration, type Endpoint, type NotifyConfiguration } from './configuration.js';
import { findEndpointProblem } from './endpoint-problem.js';

/** Checks that the hosts of all endpoints respond, without sending a notification. */
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
      run: () => this.checkEndpoint(endpoint),
    }));
  }

  private async checkEndpoint(endpoint: Endpoint): Promise<string> {
    const problem = findEndpointProblem(endpoint);
    if (problem !== undefined) throw new SettingsTestFailure(problem);
    // Only the origin is requested: the path may be a secret, and any request to it may have an effect.
    const { origin, host } = new URL(endpoint.Url.reveal());
    const { status } = await this.http.send({
      method: 'HEAD',
      url: origin,
      allowedHosts: [host],
      maxRedirects: 0,
      timeoutMs: this.configuration.current.Connectors.Notify.Timeout,
    });
    return `${host} responds (status ${status}).`;
  }
}
