export { engineTemporalPlugin } from './plugin.js';
