import {
  ConnectorContribution,
  definePlugin,
  SettingsTestContribution,
  ToolContribution,
} from '@countersign/core/plugin';
import { CodehostSettingsTest } from './codehost-settings-test.js';
import { CommentConnector } from './comment-connector.js';
import { CommentTool } from './comment-tool.js';
import { CodehostConnectorConfigurationSchema, LiveCodehostConnectorConfiguration } from './configuration.js';
import { IssueLabelTool } from './issue-label-tool.js';
import { IssueReadTool } from './issue-read-tool.js';
import { PullRequestConnector } from './pull-request-connector.js';
import { PullRequestTool } from './pull-request-tool.js';
import { StatusConnector } from './status-connector.js';
import { StatusTool } from './status-tool.js';

/**
 * Actions of workflows and agents on a code host: the job types and tools `codehost.comment`, `codehost.status` and
 * `codehost.pullRequest`, and the tools `codehost.issue.read` and `codehost.issue.label`.
 */
export const connectorCodehostPlugin = definePlugin({
  id: 'connector-codehost',
  config: CodehostConnectorConfigurationSchema,
  register({ contribute, live, provide }) {
    provide(LiveCodehostConnectorConfiguration, live);
    contribute(ConnectorContribution, CommentConnector);
    contribute(ConnectorContribution, StatusConnector);
    contribute(ConnectorContribution, PullRequestConnector);
    contribute(ToolContribution, IssueReadTool);
    contribute(ToolContribution, IssueLabelTool);
    contribute(ToolContribution, CommentTool);
    contribute(ToolContribution, StatusTool);
    contribute(ToolContribution, PullRequestTool);
    contribute(SettingsTestContribution, CodehostSettingsTest);
  },
});

export { connectorCodehostPlugin as plugin };
