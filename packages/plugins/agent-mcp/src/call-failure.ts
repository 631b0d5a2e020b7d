import {
  isOutboundHttpError,
  isRetryableFailure,
  isToolError,
  notMade,
  RetryableFailure,
  type ToolEffect,
  ToolError,
} from '@countersign/core/plugin';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
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
  if (isRefusedByTransport(error)) {
    return new RetryableFailure(
      'mcp_server_unavailable',
      `The MCP server "${server}" answered with status ${error.code}.`,
      undefined,
      { cause: error },
    );
  }
  if (error instanceof McpError && !LOST.has(error.code))
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

/**
 * Whether the server has not even looked at the call: the session is over (404; some say 400), or it lets nobody in. There is
 * no use in the connection any more.
 */
export function isRefusedByTransport(error: unknown): error is StreamableHTTPError {
  return (
    error instanceof StreamableHTTPError &&
    error.code !== undefined &&
    error.code >= 400 &&
    error.code < 500 &&
    error.code !== 408
  );
}
