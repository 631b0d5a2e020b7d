export { askAgain } from './ask-again.js';
export { modelFetch } from './model-fetch.js';
export { modelHttpFailure, modelUnreachable } from './model-failure.js';
export { configuredPrice, refuseKeyInClear, unlessAborted } from './model-settings.js';
export { modelArguments, modelText, modelToolName } from './model-text.js';
