import { isOutboundHttpError } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { type ClientOptions, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { McpServerConfiguration } from './configuration.js';
import { HttpRefusal } from './http-refusal.js';

/** How a server is begun with: by `initialize`, or by `server/discover` (MCP 2026-07-28, "Versioning"). */
export type ProtocolEra = 'legacy' | 'modern';

/** The revision that is used with servers that are begun with `server/discover`. */
export const MODERN_REVISION = '2026-07-28';

/** Errors by which a program says that it doesn't know `initialize`, or that revision. */
const UNKNOWN: ReadonlySet<number> = new Set([-32_022, -32_600, -32_601, -32_602]);

/** An attempt to begin, after which there may be another one. */
export interface Attempt {
  readonly negotiation: NonNullable<ClientOptions['versionNegotiation']>;
  /** Whether the server may still be one of the other kind after a failure. */
  isOther(error: unknown): boolean;
}

/**
 * The attempts to begin with a server, in this order, up to the first after which there need not be another.
 *
 * Over HTTP, it is asked by `server/discover` first: what does not know that refuses it at once, and a server without sessions
 * can't lose them. Programs are begun with `initialize` as ever: many pass over what they don't know, and others end.
 *
 * @param known how it was begun with before
 */
export function attempts({ Url, ConnectTimeout }: McpServerConfiguration, known: ProtocolEra | undefined): Attempt[] {
  const legacy = (isOther: Attempt['isOther']): Attempt => ({ negotiation: { mode: 'legacy' }, isOther });
  const never = (): boolean => false;
  if (Url !== undefined) {
    if (known === 'legacy') return [legacy(never)];
    // Half of the time: who does not answer may be one that waits for its `initialize`.
    const negotiation = { mode: 'auto', probe: { timeoutMs: ConnectTimeout / 2 } } as const;
    return [{ negotiation, isOther: mayKnowInitialize }, legacy(never)];
  }
  const modern = { negotiation: { mode: { pin: MODERN_REVISION } }, isOther: never } as const;
  return known === 'modern' ? [modern] : [legacy(mayKnowDiscover), modern];
}

/** Not one that can't be reached, wants a token or is busy: what it knows was not asked. */
function mayKnowInitialize(error: unknown): boolean {
  if (!(error instanceof SdkError)) return false;
  const { cause } = error;
  if (isOutboundHttpError(cause)) return cause.wasSent;
  // A gateway may forbid what it does not know.
  if (cause instanceof HttpRefusal) return cause.status === 403 || (!cause.wasNotProcessed && !cause.isBusy);
  return isNegotiationFailure(error);
}

/** Whether it was not found out what a server knows. */
export function isNegotiationFailure(error: unknown): boolean {
  if (!(error instanceof SdkError)) return false;
  // A time that is up has the same code wherever that is.
  return error.code === SdkErrorCode.EraNegotiationFailed || error.message.startsWith('Version negotiation');
}

function mayKnowDiscover(error: unknown): boolean {
  if (!(error instanceof ProtocolError)) return false;
  const supported = isJsonObject(error.data) ? error.data['supported'] : undefined;
  return UNKNOWN.has(error.code) || (Array.isArray(supported) && supported.includes(MODERN_REVISION));
}
