export { agentToolsPlugin, plugin } from './plugin.js';
