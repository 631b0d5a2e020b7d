export { eventIngressPlugin, eventIngressPlugin as plugin } from './plugin.js';
