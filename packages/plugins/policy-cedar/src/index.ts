export { policyCedarPlugin, plugin } from './plugin.js';
