export { COMMAND_ACTIONS, type CommandAction } from './command-actions.js';
export { EmbeddedEngine, EngineOptionsToken } from './embedded-engine.js';
export { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';
export { createSaltSource } from './salts.js';
export { engineEmbeddedPlugin } from './plugin.js';
