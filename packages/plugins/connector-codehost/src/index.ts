export { connectorCodehostPlugin, plugin } from './plugin.js';
