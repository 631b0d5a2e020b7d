import { ClockPort, type ConnectorCall, type Live, OutboundHttpPort } from '@countersign/core/plugin';
import { originsWithinHost } from '@countersign/model';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { inject, injectable } from 'inversify';
import { LiveCodehostConnectorConfiguration, type CodehostConnectorConfiguration } from './configuration.js';
import { failureOf } from './failures.js';
import { guardedFetch } from './guarded-fetch.js';

const PagingOctokit = Octokit.plugin(paginateRest);
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export type CodehostApi = InstanceType<typeof PagingOctokit>;

/** The API of the code host that is configured. */
@injectable()
export class CodehostClient {
  constructor(
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(LiveCodehostConnectorConfiguration) private readonly configuration: Live<CodehostConnectorConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /** The origins that its requests reach: the API redirects within its host, as for a repository that was renamed. */
  hosts(): readonly string[] {
    return originsWithinHost(new URL(this.configuration.current.Connectors.CodeHost.BaseUrl));
  }

  /**
   * Does something by the API, as it is configured now.
   *
   * @throws {RetryableFailure} `codehost_rate_limited`, `codehost_unavailable`
   * @throws {TerminalFailure} `codehost_…` for what the host refuses
   * @throws {OutboundHttpError} where there is no answer
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
          log: silent,
          request: { fetch },
        }),
      );
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error, this.clock.now());
    }
  }
}
