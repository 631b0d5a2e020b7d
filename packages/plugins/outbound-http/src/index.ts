export { outboundHttpPlugin, outboundHttpPlugin as plugin } from './plugin.js';
