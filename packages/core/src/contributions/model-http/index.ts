export { askAgain } from './ask-again.js';
export { modelFetch } from './model-fetch.js';
export { errorWithin, ModelErrorBody, readError, readErrorText } from './error-body.js';
export { modelFailure } from './model-failure.js';
export { configuredPrice, modelPrices, refuseKeyInClear, unlessAborted } from './model-settings.js';
export { modelArguments, modelText, modelToolName, NO_ANSWER } from './model-text.js';
export { modelUsage, type ReportedUsage } from './model-usage.js';
export { retryAfterMs } from './retry-after.js';
export { stopKind } from './stop-reason.js';
