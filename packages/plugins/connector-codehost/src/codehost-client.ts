import { ClockPort, type ConnectorCall, type Live, OutboundHttpPort } from '@countersign/core/plugin';
import { listOriginsWithinHost } from '@countersign/model';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { inject, injectable } from 'inversify';
import { LiveCodehostConnectorConfiguration, type CodehostConnectorConfiguration } from './configuration.js';
import { toFailure } from './failures.js';
import { guardedFetch } from './guarded-fetch.js';

const PagingOctokit = Octokit.plugin(paginateRest);
const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export type CodehostApi = InstanceType<typeof PagingOctokit>;

/** Client for the API of the configured code host. */
@injectable()
export class CodehostClient {
  constructor(
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(LiveCodehostConnectorConfiguration) private readonly configuration: Live<CodehostConnectorConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Returns the origins of its requests, including redirects within the host, for example after a repository was
   * renamed.
   */
  hosts(): readonly string[] {
    return listOriginsWithinHost(new URL(this.configuration.current.Connectors.CodeHost.BaseUrl));
  }

  /**
   * Runs work with an API client for the current configuration.
   *
   * @throws {RetryableFailure} `codehost_rate_limited`, `codehost_unavailable`
   * @throws {TerminalFailure} `codehost_…` if the code host refuses the request
   * @throws {OutboundHttpError} if there is no response
   */
  async use<T>({ signal }: Pick<ConnectorCall, 'signal'>, work: (api: CodehostApi) => Promise<T>): Promise<T> {
    const { BaseUrl: baseUrl, Token: token } = this.configuration.current.Connectors.CodeHost;
    const fetch = guardedFetch(this.http, {
      credential: { type: 'bearer', secret: token },
      allowedHosts: [new URL(baseUrl).host],
      allowedHostsKey: 'Connectors:CodeHost:BaseUrl',
      signal,
    });
    try {
      return await work(
        new PagingOctokit({
          baseUrl: baseUrl.replace(/\/+$/, ''),
          userAgent: 'Countersign',
          log: silentLog,
          request: { fetch },
        }),
      );
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error, this.clock.now());
    }
  }
}
