import {
  isOutboundHttpError,
  isRetryableFailure,
  isTerminalFailure,
  type Live,
  type SettingsTestCheck,
  type SettingsTestContribution,
  SettingsTestFailure,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { CodehostClient } from './codehost-client.js';
import { LiveCodehostConnectorConfiguration, type CodehostConnectorConfiguration } from './configuration.js';

const TIMEOUT_MS = 10_000;

/**
 * Checks the token by querying its owner from the API of the code host. Without a token, there is no check, because
 * workflows cannot write to the code host.
 */
@injectable()
export class CodehostSettingsTest implements SettingsTestContribution {
  readonly target = 'codehost';

  constructor(
    @inject(CodehostClient) private readonly client: CodehostClient,
    @inject(LiveCodehostConnectorConfiguration) private readonly configuration: Live<CodehostConnectorConfiguration>,
  ) {}

  checks(): readonly SettingsTestCheck[] {
    return this.configuration.current.Connectors.CodeHost.Token.isSet
      ? [{ name: 'API', run: () => this.checkToken() }]
      : [];
  }

  private async checkToken(): Promise<string> {
    try {
      const { data } = await this.client.use({ signal: AbortSignal.timeout(TIMEOUT_MS) }, (api) =>
        api.request('GET /user'),
      );
      return `The code host accepts the token, as user "${data.login}".`;
    } catch (error) {
      if (isTerminalFailure(error) || isRetryableFailure(error) || isOutboundHttpError(error))
        throw new SettingsTestFailure(error.message);
      throw error;
    }
  }
}
