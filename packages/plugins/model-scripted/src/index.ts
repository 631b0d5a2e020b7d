export { modelScriptedPlugin, plugin } from './plugin.js';
