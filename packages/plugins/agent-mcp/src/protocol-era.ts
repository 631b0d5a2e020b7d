import { isOutboundHttpError } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { type ClientOptions, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { McpServerConfiguration } from './configuration.js';
import { HttpRefusal } from './http-refusal.js';

/** How a connection starts: with `initialize`, or with `server/discover` (MCP 2026-07-28, "Versioning"). */
export type ProtocolEra = 'legacy' | 'modern';

/** The revision for servers that start with `server/discover`. */
export const MODERN_REVISION = '2026-07-28';

/** Error codes with which a program reports that it does not support `initialize` or the requested revision. */
const UNSUPPORTED_CODES: ReadonlySet<number> = new Set([-32_022, -32_600, -32_601, -32_602]);

/** An attempt to connect, possibly followed by another one. */
export interface ConnectionAttempt {
  readonly negotiation: NonNullable<ClientOptions['versionNegotiation']>;
  /** Returns whether the server may still support the other protocol era after a failure. */
  maySupportOtherEra(error: unknown): boolean;
}

/**
 * Returns the attempts to connect to a server, in order. If the failure of an attempt rules out the other protocol era,
 * no further attempt is made.
 *
 * HTTP servers get `server/discover` first: a server that does not support it refuses immediately, and a server without
 * sessions cannot lose them. Programs get `initialize` first: many ignore unknown requests, and others exit.
 *
 * @param knownEra the protocol era of the last connection
 */
export function listConnectionAttempts(
  { Url, ConnectTimeout }: McpServerConfiguration,
  knownEra: ProtocolEra | undefined,
): ConnectionAttempt[] {
  const legacyAttempt = (maySupportOtherEra: ConnectionAttempt['maySupportOtherEra']): ConnectionAttempt => ({
    negotiation: { mode: 'legacy' },
    maySupportOtherEra,
  });
  const never = (): boolean => false;
  if (Url !== undefined) {
    if (knownEra === 'legacy') return [legacyAttempt(never)];
    // Half of the time limit, because a server that does not respond may be waiting for `initialize`.
    const negotiation = { mode: 'auto', probe: { timeoutMs: ConnectTimeout / 2 } } as const;
    return [{ negotiation, maySupportOtherEra: maySupportInitialize }, legacyAttempt(never)];
  }
  const modernAttempt = { negotiation: { mode: { pin: MODERN_REVISION } }, maySupportOtherEra: never } as const;
  return knownEra === 'modern' ? [modernAttempt] : [legacyAttempt(maySupportDiscover), modernAttempt];
}

/**
 * Returns whether a server may support `initialize`. False if it is unreachable, requires a token or is busy, because
 * it did not process the request.
 */
function maySupportInitialize(error: unknown): boolean {
  if (!(error instanceof SdkError)) return false;
  const { cause } = error;
  if (isOutboundHttpError(cause)) return cause.wasSent;
  // A gateway may forbid unknown requests.
  if (cause instanceof HttpRefusal) return cause.status === 403 || (!cause.wasNotProcessed && !cause.isBusy);
  return isNegotiationFailure(error);
}

/** Returns whether negotiation failed to determine what a server supports. */
export function isNegotiationFailure(error: unknown): boolean {
  if (!(error instanceof SdkError)) return false;
  // A timeout has the same code in every phase.
  return error.code === SdkErrorCode.EraNegotiationFailed || error.message.startsWith('Version negotiation');
}

function maySupportDiscover(error: unknown): boolean {
  if (!(error instanceof ProtocolError)) return false;
  const supported = isJsonObject(error.data) ? error.data['supported'] : undefined;
  return UNSUPPORTED_CODES.has(error.code) || (Array.isArray(supported) && supported.includes(MODERN_REVISION));
}
