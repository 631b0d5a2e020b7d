import { canonicalJson } from '../domain/canonical-json.js';
import type { Json } from '../domain/json.js';
import type { Actor } from '../domain/principal.js';
import { sha256Hex } from '../domain/run-event.js';
import type { RequestContext } from '../ports/engine.js';

/** Who asks for something, as the edge (HTTP, a command line) knows it. */
export interface Caller {
  readonly actor: Actor;
  /** Address or part of the system, for the audit trail. */
  readonly from: string | null;
  readonly traceId: string | null;
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey?: string;
}

/** Who looks at something: what they may do decides what they are shown as possible. */
export interface Viewer {
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
