import { ConnectorContribution, definePlugin } from '@countersign/core/plugin';
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
  },
});

export { connectorCodehostPlugin as plugin };
