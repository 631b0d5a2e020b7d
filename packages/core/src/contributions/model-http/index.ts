export { retryModelRequest } from './retry-model-request.js';
export { createModelFetch } from './model-fetch.js';
export { findError, ModelResponseError, parseErrorBody, parseErrorText } from './error-body.js';
export { type ResponseInProgress, reportIfDiscarded } from './report-if-discarded.js';
export { toModelError } from './to-model-error.js';
export {
  findConfiguredPrice,
  createPricesSchema,
  assertApiKeyEncryptedInTransit,
  withModelErrors,
} from './model-settings.js';
export { parseModelArguments, sanitizeModelText, toProviderToolName, EMPTY_COMPLETION_TEXT } from './model-text.js';
export { toModelUsage, type ReportedUsage } from './model-usage.js';
export { parseRetryAfterMs } from './retry-after.js';
export { findStopKind, requireStopKind } from './stop-reason.js';
