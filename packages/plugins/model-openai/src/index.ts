export { modelOpenaiPlugin, plugin } from './plugin.js';
