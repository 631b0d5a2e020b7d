export { plugin, releaseApprovalPlugin } from './plugin.js';
