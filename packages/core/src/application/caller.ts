import { type Actor, canonicalJson, type Json, sha256Hex } from '@countersign/model';
import type { RequestContext } from '../ports/engine.js';

/** Authentication of a user, as stated by the token (`auth_time` and `acr`; OpenID Connect Core, 2). */
export interface SignIn {
  /** Time of the sign-in, in milliseconds since the epoch; `null` if the token does not contain it. */
  readonly at: number | null;
  /** Authentication context class; `null` if the token does not contain it. */
  readonly acr: string | null;
}

/** Sender of a request, as identified by the entry point (HTTP or a command line). */
export interface Caller {
  readonly actor: Actor;
  /** Address or system component, for the audit trail. */
  readonly from: string | null;
  readonly traceId: string | null;
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey?: string;
  /** Sign-in of the user; omitted for webhooks and system components. */
  readonly signIn?: SignIn;
}

/** The reader of a view. It determines which actions the view reports as allowed. */
export interface ReadContext {
  readonly actor: Actor;
  /** Whether the role of the reader permits votes on approvals. */
  readonly mayDecide: boolean;
}

/**
 * Returns the context of a command.
 *
 * An idempotency key applies to one principal and one operation. The digest distinguishes a repeated request from a
 * different request under the same key, so it covers the whole request (path parameters and body).
 *
 * @param operation the name of the route, for example `startRun`
 */
export function buildRequestContext(caller: Caller, operation: string, content: Json): RequestContext {
  const { actor, from, traceId, idempotencyKey } = caller;
  if (idempotencyKey === undefined) return { actor, from, traceId };
  const scope = `${actor.type}:${actor.id}:${operation}`;
  const requestDigest = sha256Hex(canonicalJson({ operation, content }));
  return { actor, from, traceId, idempotency: { scope, key: idempotencyKey, requestDigest } };
}
