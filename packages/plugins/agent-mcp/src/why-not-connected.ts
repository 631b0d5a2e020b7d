import { isJsonObject } from '@countersign/model';
import { ProtocolError, SdkError, SdkErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { MODERN_REVISION } from './protocol-era.js';
import { quoted, said } from './said.js';

const MAX_REVISIONS = 10;

/** The supported revisions, newest first. */
const OURS: readonly string[] = [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** Returns, for operators, why a server cannot be connected to. */
export function whyNotConnected(error: unknown): string {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return 'It did not respond within its ConnectTimeout.';
  if (!(error instanceof ProtocolError)) return said(error);
  const theirs = supported(error.data);
  if (theirs.some((revision) => OURS.includes(revision)))
    return `It refuses the handshake of the MCP revision that it requires: ${quoted(theirs.join(', '))}. Its message: ${quoted(said(error))}`;
  if (theirs.length > 0)
    return `It supports none of the MCP revisions ${OURS.join(', ')}, only ${quoted(theirs.join(', '))}.`;
  return `It refuses the connection (${error.code}). Its message: ${quoted(said(error))}`;
}

/** Returns the revisions that a server supports, from its refusal (MCP 2025-11-25, "Version Negotiation"). */
function supported(data: unknown): readonly string[] {
  const versions = isJsonObject(data) ? data['supported'] : undefined;
  if (!Array.isArray(versions)) return [];
  return versions.slice(0, MAX_REVISIONS).filter((version) => typeof version === 'string');
}
