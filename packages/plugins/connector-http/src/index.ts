export { connectorHttpPlugin, connectorHttpPlugin as plugin } from './plugin.js';
