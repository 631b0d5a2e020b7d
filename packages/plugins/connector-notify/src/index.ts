export { connectorNotifyPlugin, connectorNotifyPlugin as plugin } from './plugin.js';
