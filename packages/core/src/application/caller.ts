import { type Actor, canonicalJson, type Json, sha256Hex } from '@countersign/model';
import type { RequestContext } from '../ports/engine.js';

/** How a person was authenticated, as their token says (`auth_time` and `acr` of OpenID Connect Core, 2). */
export interface SignIn {
  /** In milliseconds since the epoch; `null` where the token does not say. */
  readonly at: number | null;
  /** The authentication context class; `null` where the token does not say. */
  readonly acr: string | null;
}

/** Who asks for something, as the edge (HTTP, a command line) knows it. */
export interface Caller {
  readonly actor: Actor;
  /** Address or part of the system, for the audit trail. */
  readonly from: string | null;
  readonly traceId: string | null;
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey?: string;
  /** Left out where nobody signed in: a webhook, a part of the system. */
  readonly signIn?: SignIn;
}

/** Who looks at something: what they may do decides what they are shown as possible. */
export interface ReadContext {
  readonly actor: Actor;
  /** Whether their role lets them decide approvals at all. */
  readonly mayDecide: boolean;
}

/**
 * The context of a command.
 *
 * An idempotency key holds for one principal and one operation; the digest tells a repeat from another request under the
 * same key, so it covers all that the request says (path parameters and body).
 *
 * @param operation names the route, for example `startRun`.
 */
export function contextOf(caller: Caller, operation: string, content: Json): RequestContext {
  const { actor, from, traceId, idempotencyKey } = caller;
  if (idempotencyKey === undefined) return { actor, from, traceId };
  const scope = `${actor.type}:${actor.id}:${operation}`;
  const requestDigest = sha256Hex(canonicalJson({ operation, content }));
  return { actor, from, traceId, idempotency: { scope, key: idempotencyKey, requestDigest } };
}
