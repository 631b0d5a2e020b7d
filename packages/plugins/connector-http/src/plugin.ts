import { ConnectorContribution, definePlugin } from '@countersign/core/plugin';
import { HttpConnectorConfigurationSchema, LiveHttpConnectorConfiguration } from './configuration.js';
import { HttpConnector } from './http-connector.js';

/** Calls of workflows over HTTP: the job type `http`. */
export const connectorHttpPlugin = definePlugin({
  id: 'connector-http',
  config: HttpConnectorConfigurationSchema,
  register({ contribute, live, provide }) {
    provide(LiveHttpConnectorConfiguration, live);
    contribute(ConnectorContribution, HttpConnector);
  },
});
