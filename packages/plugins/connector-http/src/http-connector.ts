import { listOriginsWithinHost, readNetworkHost } from '@countersign/model';
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
import { toFailure, toHttpOutput } from './read-response.js';
import { buildRequest } from './build-request.js';

/** Makes one HTTP call to a host that the operator allows. */
@injectable()
export class HttpConnector implements ConnectorContribution<typeof HttpInput, typeof HttpOutput> {
  readonly id = 'countersign.http';
  readonly title = 'HTTP call';
  readonly description = 'Calls a service over HTTP, on a host that the operator allows.';
  readonly jobType = 'http';
  readonly version = 2;
  readonly effect = 'write';
  readonly input = HttpInput;
  readonly output = HttpOutput;
  readonly hostInputs = ['url', 'maxRedirects', 'redirectHosts'] as const;

  constructor(
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(LiveHttpConnectorConfiguration) private readonly configuration: Live<HttpConnectorConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  hosts({ url: urlText, maxRedirects, redirectHosts }: HttpInput): readonly string[] {
    const url = URL.canParse(urlText) ? new URL(urlText) : undefined;
    // Other protocols are never called.
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return [];
    if (maxRedirects === 0) return [url.origin];
    // A redirect from TLS to plain HTTP is refused.
    const schemes = url.protocol === 'https:' ? ['https'] : ['http', 'https'];
    const redirectOrigins = redirectHosts.flatMap((host) =>
      schemes.map((scheme) => `${scheme}://${toAuthority(host)}`),
    );
    return [...listOriginsWithinHost(url), ...redirectOrigins];
  }

  async call(input: HttpInput, { idempotencyKey, signal }: ConnectorCall): Promise<HttpOutput> {
    const { AllowedHosts, MaxBytes } = this.configuration.current.Connectors.Http;
    const response = await this.http.send({
      ...buildRequest(input, idempotencyKey),
      allowedHosts: AllowedHosts,
      allowedHostsKey: 'Connectors:Http:AllowedHosts',
      timeoutMs: input.timeoutSeconds * 1_000,
      maxBytes: MaxBytes,
      maxRedirects: input.maxRedirects,
      // The policy has not evaluated other redirect targets.
      redirectHosts: input.redirectHosts,
      signal,
    });
    const failure = toFailure(response, input, this.clock.now());
    if (failure !== undefined) throw failure;
    return toHttpOutput(response, input.inexactNumbers);
  }
}

/** Returns a host as it is written in URLs, with its port if it has one. */
function toAuthority(host: string): string {
  const { name, port } = readNetworkHost(host) ?? { name: host, port: undefined };
  return `${name.includes(':') ? `[${name}]` : name}${port === undefined ? '' : `:${port}`}`;
}
