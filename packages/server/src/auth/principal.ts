import { hasRole, type RequiredRole, type Role } from '@countersign/contract';
import type { ClockPort, SignIn } from '@countersign/core';
import type { Actor } from '@countersign/model';

/** Whoever a request comes from. */
export interface Principal {
  readonly actor: Actor;
  readonly kind: 'user' | 'service' | 'agent';
  /** The highest of `roles`; `undefined` where the token carries none that is known. */
  readonly role: Role | undefined;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  /** Of a person: `null` where the token has none of the claims that hold them. */
  readonly userNames: readonly string[] | null;
  /** End of the token, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
  /** What tells tokens of sessions that have ended: the session where the token names it, and when the token was issued, in ms since the epoch. */
  readonly session: { readonly sid: string | null; readonly issuedAt: number };
  /** How the person signed in, as the token says. */
  readonly signIn: SignIn;
}

/** Nobody: what calls routes that need no token. */
export const ANONYMOUS: Principal = Object.freeze({
  actor: Object.freeze({ type: 'service', id: 'anonymous', name: null }),
  kind: 'service',
  role: undefined,
  roles: [],
  groups: [],
  userNames: null,
  expiresAt: null,
  session: Object.freeze({ sid: null, issuedAt: 0 }),
  signIn: Object.freeze({ at: null, acr: null }),
});

/** How long the token of a caller still holds, in ms. */
export function remainingMs({ expiresAt }: Pick<Principal, 'expiresAt'>, clock: Pick<ClockPort, 'now'>): number | null {
  return expiresAt === null ? null : expiresAt - clock.now();
}

export function principalHasRole(principal: Principal, least: RequiredRole): boolean {
  return hasRole(principal.role, least);
}
