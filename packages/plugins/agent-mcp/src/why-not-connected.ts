import { isJsonObject } from '@countersign/model';
import { ErrorCode, McpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { oneLine } from './visible-text.js';

/** What keeps a server from being connected to, for who operates it. */
export function whyNotConnected(error: unknown): string {
  if (error instanceof z.ZodError)
    return `Its answer is not what MCP says: ${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`;
  if (!(error instanceof McpError)) return error instanceof Error ? error.message : String(error);
  const theirs = supported(error.data);
  if (theirs !== undefined)
    return `It speaks MCP ${theirs} only, and is asked for ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`;
  if (error.code === ErrorCode.RequestTimeout) return 'It did not answer within its ConnectTimeout.';
  return `It refuses to be connected to (${error.code}): ${oneLine(error.message)}`;
}

/** The revisions that a server names that wants another one (MCP 2025-11-25, "Version Negotiation"). */
function supported(data: unknown): string | undefined {
  const versions = isJsonObject(data) ? data['supported'] : undefined;
  return Array.isArray(versions) && versions.length > 0 ? oneLine(versions.map(String).join(', '), 100) : undefined;
}
