import { ConnectorContribution, definePlugin, SettingsTestContribution } from '@countersign/core/plugin';
import { CodehostSettingsTest } from './codehost-settings-test.js';
import { CommentConnector } from './comment-connector.js';
import { CodehostConnectorConfigurationSchema, LiveCodehostConnectorConfiguration } from './configuration.js';
import { PullRequestConnector } from './pull-request-connector.js';
import { StatusConnector } from './status-connector.js';

/** What workflows do at a code host: the job types `codehost.comment`, `codehost.status` and `codehost.pullRequest`. */
export const connectorCodehostPlugin = definePlugin({
  id: 'connector-codehost',
  config: CodehostConnectorConfigurationSchema,
  register({ contribute, live, provide }) {
    provide(LiveCodehostConnectorConfiguration, live);
    contribute(ConnectorContribution, CommentConnector);
    contribute(ConnectorContribution, StatusConnector);
    contribute(ConnectorContribution, PullRequestConnector);
    contribute(SettingsTestContribution, CodehostSettingsTest);
  },
});

export { connectorCodehostPlugin as plugin };
