import { hasRole, type RequiredRole, type Role } from '@countersign/contract';
import type { Actor } from '@countersign/core';

/** Whoever a request comes from. */
export interface Principal {
  readonly actor: Actor;
  readonly kind: 'user' | 'service' | 'agent';
  /** The highest of `roles`; `undefined` where the token carries none that is known. */
  readonly role: Role | undefined;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  /** End of the token, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

/** Nobody: what calls routes that need no token. */
export const ANONYMOUS: Principal = Object.freeze({
  actor: Object.freeze({ type: 'service', id: 'anonymous', name: null }),
  kind: 'service',
  role: undefined,
  roles: [],
  groups: [],
  expiresAt: null,
});

export function may(principal: Principal, least: RequiredRole): boolean {
  return hasRole(principal.role, least);
}
