import type { OutboundHttpError } from '../errors/outbound-http-error.js';
import { RetryableFailure } from './job-handler.js';
import { ToolError } from './tool.js';

/**
 * Converts a failed HTTP request of a tool call: retryable errors cause another attempt, other errors are reported to
 * the language model.
 */
export function toToolFailure(error: OutboundHttpError): RetryableFailure | ToolError {
  const { code, message, retryable } = error;
  return retryable
    ? new RetryableFailure(code, message, undefined, { cause: error })
    : new ToolError(code, message, { cause: error });
}
