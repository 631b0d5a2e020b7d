import { isJsonObject } from '@countersign/model';
import { ErrorCode, McpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { quoted, said } from './said.js';

const MAX_REVISIONS = 10;

/** What keeps a server from being connected to, for who operates it. */
export function whyNotConnected(error: unknown): string {
  if (!(error instanceof McpError)) return said(error);
  const theirs = supported(error.data);
  if (theirs !== undefined)
    return `It speaks only other revisions of MCP than ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}: ${quoted(theirs)}.`;
  if (error.code === ErrorCode.RequestTimeout) return 'It did not answer within its ConnectTimeout.';
  return `It refuses to be connected to (${error.code}), and says: ${quoted(said(error))}`;
}

/** The revisions that a server names that wants another one (MCP 2025-11-25, "Version Negotiation"). */
function supported(data: unknown): string | undefined {
  const versions = isJsonObject(data) ? data['supported'] : undefined;
  if (!Array.isArray(versions)) return undefined;
  const named = versions.slice(0, MAX_REVISIONS).filter((version) => typeof version === 'string');
  return named.length === 0 ? undefined : named.join(', ');
}
