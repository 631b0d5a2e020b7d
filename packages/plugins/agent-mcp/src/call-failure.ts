import {
  isOutboundHttpError,
  isRetryableFailure,
  isToolError,
  notMade,
  RetryableFailure,
  type ToolEffect,
  ToolError,
} from '@countersign/core/plugin';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { HttpRefusal } from './http-refusal.js';
import { ProgramEnded } from './program-ended.js';
import { oneLine } from './visible-text.js';

/** The SDK says these of itself, but a server may say them too. */
const LOST: ReadonlySet<number> = new Set([ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout]);

/**
 * What is thrown where a call gave no result: the server has refused it, it was surely not made, or nobody knows. Of a call
 * that only reads it does not matter, so it is tried again.
 */
export function callFailure(error: unknown, server: string, effect: ToolEffect): unknown {
  if (isToolError(error) || isRetryableFailure(error)) return error;
  if (error instanceof ProgramEnded) {
    // A read would only make it write as much again.
    const message = `The MCP server "${server}" did not answer the call. ${error.message}`;
    return effect === 'read'
      ? new ToolError(error.code, message, { cause: error })
      : new Error(`${message} (${error.code})`, { cause: error });
  }
  if (isOutboundHttpError(error) && !error.wasSent) return notMade(error);
  if (error instanceof HttpRefusal && error.isUnheard)
    return new RetryableFailure(
      'mcp_server_unavailable',
      `The MCP server "${server}" does not take the call. ${error.message}`,
      error.retryAfterMs,
      { cause: error },
    );
  if (isAnswer(error))
    return new ToolError(
      'mcp_call_refused',
      `The MCP server refuses the call (${error.code}): ${oneLine(error.message, 1_000)}`,
      { cause: error },
    );
  const open = error instanceof Error ? error.message : String(error);
  const message = `The MCP server "${server}" did not answer the call: ${oneLine(open)}`;
  return effect === 'read'
    ? new RetryableFailure('mcp_server_unavailable', message, undefined, { cause: error })
    : new Error(message, { cause: error });
}

/** Whether the server itself has answered with an error. */
export function isAnswer(error: unknown): error is McpError {
  return error instanceof McpError && !LOST.has(error.code);
}
