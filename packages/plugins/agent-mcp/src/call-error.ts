import {
  isOutboundHttpError,
  isRetryableFailure,
  isToolError,
  toToolFailure,
  RetryableFailure,
  type ToolEffect,
  ToolError,
} from '@countersign/core/plugin';
import { ProtocolError } from '@modelcontextprotocol/client';
import { HttpRefusal } from './http-refusal.js';
import { isLostResponse } from './lost-response.js';
import { ProgramTerminatedError } from './program-errors.js';
import { errorMessage } from './error-message.js';
import { StartedCallError, UnfinishedCallError } from './unfinished-call.js';

/**
 * Returns the error to throw for a call without a result: the server refused the call, the call was certainly not
 * executed, or its outcome is unknown. A read whose outcome is unknown is retried, unless the server returned something
 * other than a result, or its program was terminated.
 *
 * @param formatText formats a text of the server for display: on one line, without secrets, and of limited length
 */
export function toCallError(
  error: unknown,
  server: string,
  effect: ToolEffect,
  formatText: (text: string, maxLength?: number) => string,
): unknown {
  if (isToolError(error) || isRetryableFailure(error)) return error;
  if (error instanceof StartedCallError) {
    // A refusal to continue does not show what the server has already done.
    if (effect === 'read') return toCallError(error.cause, server, effect, formatText);
    return new Error(`The MCP server "${server}" did not finish the call. ${formatText(error.message)}`);
  }
  // The new error has no cause, because the cause may contain text of the server with secrets.
  if (error instanceof ProgramTerminatedError) {
    // Repeating a read would produce the same output again.
    const message = `The MCP server "${server}" did not respond to the call. ${error.message}`;
    return effect === 'read' ? new ToolError(error.code, message) : new Error(`${message} (${error.code})`);
  }
  if (error instanceof UnfinishedCallError && (error.requestsInput || effect === 'read'))
    return new ToolError(
      error.requestsInput ? 'mcp_input_required' : 'mcp_call_refused',
      `The MCP server has not finished the call. ${formatText(error.message, 1_000)}`,
    );
  if (isOutboundHttpError(error) && !error.wasSent) return toToolFailure(error);
  if (error instanceof HttpRefusal && (error.wasNotProcessed || (effect === 'read' && error.isEndpointUnavailable)))
    return serverUnavailable(
      `The MCP server "${server}" did not accept the call. ${formatText(error.message)}`,
      error.retryAfterMs,
    );
  if (error instanceof HttpRefusal && error.isRefusal)
    return new ToolError('mcp_call_refused', `The MCP server refused the call. ${formatText(error.message, 1_000)}`);
  if (isErrorResponse(error))
    return new ToolError(
      'mcp_call_refused',
      `The MCP server refused the call (${error.code}): ${formatText(errorMessage(error), 1_000)}`,
    );
  const message = `The MCP server "${server}" did not respond to the call: ${formatText(errorMessage(error))}`;
  if (effect !== 'read') return new Error(message);
  return serverUnavailable(message, error instanceof HttpRefusal ? error.retryAfterMs : undefined);
}

function serverUnavailable(message: string, retryAfterMs?: number): RetryableFailure {
  return new RetryableFailure('mcp_server_unavailable', message, retryAfterMs);
}

/** Returns whether the server itself responded with an error. */
export function isErrorResponse(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && !isLostResponse(error);
}
