export { codehostWebhookPlugin, plugin } from './plugin.js';
