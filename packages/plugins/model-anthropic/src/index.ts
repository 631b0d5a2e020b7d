export { modelAnthropicPlugin, plugin } from './plugin.js';
