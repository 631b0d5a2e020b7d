export { engineEmbeddedPlugin } from './plugin.js';
