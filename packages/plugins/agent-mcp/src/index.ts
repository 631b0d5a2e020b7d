export { agentMcpPlugin, plugin } from './plugin.js';
