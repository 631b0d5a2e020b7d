import type { OutboundHttpError } from '../errors/outbound-http-error.js';
import { RetryableFailure } from './job-handler.js';
import { ToolError } from './tool.js';

/** A call of a tool that came to nothing at the other end, or on the way there: worth another attempt, or what the model is told. */
export function toToolFailure(error: OutboundHttpError): RetryableFailure | ToolError {
  const { code, message, retryable } = error;
  return retryable
    ? new RetryableFailure(code, message, undefined, { cause: error })
    : new ToolError(code, message, { cause: error });
}
