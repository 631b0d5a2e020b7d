export { COMMAND_ACTIONS, type CommandAction } from './command-actions.js';
export { EmbeddedEngine, EngineOptionsToken } from './embedded-engine.js';
export { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';
export { createSaltSource } from './salt-source.js';
export { engineEmbeddedPlugin } from './plugin.js';
