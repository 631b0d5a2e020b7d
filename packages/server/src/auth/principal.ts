import { hasRole, type RequiredRole, type Role } from '@countersign/contract';
import type { ClockPort, SignIn } from '@countersign/core';
import type { Actor } from '@countersign/model';

/** The user or program that sends a request. */
export interface Principal {
  readonly actor: Actor;
  readonly kind: 'user' | 'service' | 'agent';
  /** The highest of `roles`; `undefined` if the token contains no known role. */
  readonly role: Role | undefined;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  /** User names of a person; `null` if the token has none of the claims for user names. */
  readonly userNames: readonly string[] | null;
  /** Expiry of the token, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
  /**
   * Session of the token (`null` if the token does not name it) and issue time (ms since the epoch), which identify the
   * tokens of ended sessions.
   */
  readonly session: { readonly sid: string | null; readonly issuedAt: number };
  /** Time and authentication context class of the sign-in, according to the token. */
  readonly signIn: SignIn;
}

/** The caller of routes that need no token. */
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

/** Returns the remaining lifetime of the caller's token, in ms; `null` if the token does not expire. */
export function getRemainingLifetimeMs(
  { expiresAt }: Pick<Principal, 'expiresAt'>,
  clock: Pick<ClockPort, 'now'>,
): number | null {
  return expiresAt === null ? null : expiresAt - clock.now();
}

export function principalHasRole(principal: Principal, requiredRole: RequiredRole): boolean {
  return hasRole(principal.role, requiredRole);
}
