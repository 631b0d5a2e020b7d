import { isJsonObject } from '@countersign/model';
import { ProtocolError, SdkError, SdkErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { MODERN_REVISION } from './protocol-era.js';
import { quote, errorMessage } from './error-message.js';

const MAX_REVISIONS = 10;

/** The supported revisions, newest first. */
const SUPPORTED_REVISIONS: readonly string[] = [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** Describes, for operators, why the connection to a server failed. */
export function describeConnectionProblem(error: unknown): string {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return 'It did not respond within its ConnectTimeout.';
  if (!(error instanceof ProtocolError)) return errorMessage(error);
  const serverRevisions = readSupportedRevisions(error.data);
  if (serverRevisions.some((revision) => SUPPORTED_REVISIONS.includes(revision)))
    return `It refuses the handshake of the MCP revision that it requires: ${quote(serverRevisions.join(', '))}. Its message: ${quote(errorMessage(error))}`;
  if (serverRevisions.length > 0)
    return `It supports none of the MCP revisions ${SUPPORTED_REVISIONS.join(', ')}, only ${quote(serverRevisions.join(', '))}.`;
  return `It refuses the connection (${error.code}). Its message: ${quote(errorMessage(error))}`;
}

/** Returns the revisions that a server supports, from its refusal (MCP 2025-11-25, "Version Negotiation"). */
function readSupportedRevisions(data: unknown): readonly string[] {
  const versions = isJsonObject(data) ? data['supported'] : undefined;
  if (!Array.isArray(versions)) return [];
  return versions.slice(0, MAX_REVISIONS).filter((version) => typeof version === 'string');
}
