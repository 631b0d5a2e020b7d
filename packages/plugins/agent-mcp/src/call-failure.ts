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
import { isLost } from './lost-answer.js';
import { ProgramEnded } from './program-ended.js';
import { said } from './said.js';
import { BegunCall, UnfinishedCall } from './unfinished-call.js';

/**
 * Returns the error to throw for a call without a result: the server refused the call, the call was certainly not
 * executed, or its outcome is unknown. A call that only reads is retried in any case.
 *
 * @param shown formats a text of the server for display: on one line, without secrets, and of limited length
 */
export function callFailure(
  error: unknown,
  server: string,
  effect: ToolEffect,
  shown: (text: string, most?: number) => string,
): unknown {
  if (isToolError(error) || isRetryableFailure(error)) return error;
  if (error instanceof BegunCall) {
    // A refusal to continue does not show what the server had done until then.
    if (effect === 'read') return callFailure(error.cause, server, effect, shown);
    return new Error(`The MCP server "${server}" did not finish the call. ${shown(error.message)}`);
  }
  // Without the cause, which may contain text of the server with secrets.
  if (error instanceof ProgramEnded) {
    // Repeating a read would produce the same output again.
    const message = `The MCP server "${server}" did not respond to the call. ${error.message}`;
    return effect === 'read' ? new ToolError(error.code, message) : new Error(`${message} (${error.code})`);
  }
  if (error instanceof UnfinishedCall && (error.asksForInput || effect === 'read'))
    return new ToolError(
      error.asksForInput ? 'mcp_input_required' : 'mcp_call_refused',
      `The MCP server has not finished the call. ${shown(error.message, 1_000)}`,
    );
  if (isOutboundHttpError(error) && !error.wasSent) return toToolFailure(error);
  if (error instanceof HttpRefusal && (error.wasNotProcessed || (effect === 'read' && error.leadsNowhere)))
    return unavailable(
      `The MCP server "${server}" did not accept the call. ${shown(error.message)}`,
      error.retryAfterMs,
    );
  if (error instanceof HttpRefusal && error.isRefusal)
    return new ToolError('mcp_call_refused', `The MCP server refused the call. ${shown(error.message, 1_000)}`);
  if (isAnswer(error))
    return new ToolError(
      'mcp_call_refused',
      `The MCP server refused the call (${error.code}): ${shown(said(error), 1_000)}`,
    );
  const message = `The MCP server "${server}" did not respond to the call: ${shown(said(error))}`;
  if (effect !== 'read') return new Error(message);
  return unavailable(message, error instanceof HttpRefusal ? error.retryAfterMs : undefined);
}

function unavailable(message: string, retryAfterMs?: number): RetryableFailure {
  return new RetryableFailure('mcp_server_unavailable', message, retryAfterMs);
}

/** Returns whether the server itself responded with an error. */
export function isAnswer(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && !isLost(error);
}
