export { askAgain } from './ask-again.js';
export { isInClear } from './clear-text.js';
export { modelFetch } from './model-fetch.js';
export { modelHttpFailure, modelUnreachable } from './model-failure.js';
export { modelArguments, modelText, modelToolName } from './model-text.js';
