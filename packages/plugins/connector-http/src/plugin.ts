import { ConnectorContribution, definePlugin, ToolContribution } from '@countersign/core/plugin';
import { HttpConnectorConfigurationSchema, LiveHttpConnectorConfiguration } from './configuration.js';
import { HttpConnector } from './http-connector.js';
import { HttpGetTool } from './http-get-tool.js';
import { HttpRequestTool } from './http-request-tool.js';

/** HTTP calls: the job type `http` of workflows, and the tools `http.get` and `http.request` of agents. */
export const connectorHttpPlugin = definePlugin({
  id: 'connector-http',
  config: HttpConnectorConfigurationSchema,
  register({ contribute, live, provide }) {
    provide(LiveHttpConnectorConfiguration, live);
    contribute(ConnectorContribution, HttpConnector);
    contribute(ToolContribution, HttpGetTool);
    contribute(ToolContribution, HttpRequestTool);
  },
});
