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
 * What is thrown where a call gave no result: the server has refused it, it was surely not made, or nobody knows. Of a call
 * that only reads it does not matter, so it is tried again.
 *
 * @param shown what a server says, as it may be shown: for one line, without secrets, and no longer than so many characters
 */
export function callFailure(
  error: unknown,
  server: string,
  effect: ToolEffect,
  shown: (text: string, most?: number) => string,
): unknown {
  if (isToolError(error) || isRetryableFailure(error)) return error;
  if (error instanceof BegunCall) {
    // What a server says to going on says nothing of what it had done until then.
    if (effect === 'read') return callFailure(error.cause, server, effect, shown);
    return new Error(`The MCP server "${server}" did not finish the call. ${shown(error.message)}`);
  }
  // Without the cause: it may hold what the server has said, secrets and all.
  if (error instanceof ProgramEnded) {
    // A read would only make it write as much again.
    const message = `The MCP server "${server}" did not answer the call. ${error.message}`;
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
      `The MCP server "${server}" does not take the call. ${shown(error.message)}`,
      error.retryAfterMs,
    );
  if (error instanceof HttpRefusal && error.isRefusal)
    return new ToolError('mcp_call_refused', `The MCP server refuses the call. ${shown(error.message, 1_000)}`);
  if (isAnswer(error))
    return new ToolError(
      'mcp_call_refused',
      `The MCP server refuses the call (${error.code}): ${shown(said(error), 1_000)}`,
    );
  const message = `The MCP server "${server}" did not answer the call: ${shown(said(error))}`;
  if (effect !== 'read') return new Error(message);
  return unavailable(message, error instanceof HttpRefusal ? error.retryAfterMs : undefined);
}

function unavailable(message: string, retryAfterMs?: number): RetryableFailure {
  return new RetryableFailure('mcp_server_unavailable', message, retryAfterMs);
}

/** Whether the server itself has answered with an error. */
export function isAnswer(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && !isLost(error);
}
