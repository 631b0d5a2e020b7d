import { inject, injectable } from 'inversify';
import {
  ClockPort,
  type ConnectorCall,
  type ConnectorContribution,
  type Live,
  OutboundHttpPort,
} from '@countersign/core/plugin';
import { LiveHttpConnectorConfiguration, type HttpConnectorConfiguration } from './configuration.js';
import { HttpInput, HttpOutput } from './http-input.js';
import { failureOf, incoming } from './incoming.js';
import { outgoing } from './outgoing.js';

/** One call over HTTP, to hosts that the operator allows. */
@injectable()
export class HttpConnector implements ConnectorContribution<typeof HttpInput, typeof HttpOutput> {
  readonly id = 'countersign.http';
  readonly title = 'HTTP call';
  readonly description = 'Calls a service over HTTP, at a host that the operator allows.';
  readonly jobType = 'http';
  readonly version = 2;
  readonly effect = 'write';
  readonly input = HttpInput;
  readonly output = HttpOutput;
  readonly hostInputs = ['url', 'redirectHosts'] as const;

  constructor(
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(LiveHttpConnectorConfiguration) private readonly configuration: Live<HttpConnectorConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  hosts({ url, redirectHosts }: HttpInput): readonly string[] {
    const host = URL.canParse(url) ? new URL(url).host : '';
    // What is no URL, or has no host, is not called.
    return host === '' ? [] : [host, ...redirectHosts];
  }

  async call(input: HttpInput, { idempotencyKey, signal }: ConnectorCall): Promise<HttpOutput> {
    const { AllowedHosts, MaxBytes } = this.configuration.current.Connectors.Http;
    const response = await this.http.send({
      ...outgoing(input, idempotencyKey),
      allowedHosts: AllowedHosts,
      allowedHostsKey: 'Connectors:Http:AllowedHosts',
      timeoutMs: input.timeoutSeconds * 1_000,
      maxBytes: MaxBytes,
      maxRedirects: input.maxRedirects,
      // Where others lead to, the policy was not asked about.
      redirectHosts: input.redirectHosts,
      signal,
    });
    const failure = failureOf(response, input, this.clock.now());
    if (failure !== undefined) throw failure;
    return incoming(response, input.inexactNumbers);
  }
}
