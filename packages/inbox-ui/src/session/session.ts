import type { DevelopmentUser, Me, Role, TokenProvider } from '@countersign/contract';
import { createContext, useCallback, useContext } from 'react';

const ROLES: readonly Role[] = ['viewer', 'operator', 'approver', 'admin'];

/** Users of a development server, between whom the user of this page can switch. */
export interface DevelopmentUsers {
  readonly users: readonly DevelopmentUser[];
  /**
   * Prepares the sign-in of a user on the same page.
   *
   * @returns a function that signs in; `undefined` if another switch or a sign-out was requested in the meantime
   */
  prepareSwitch(user: DevelopmentUser): Promise<(() => void) | undefined>;
}

export interface Session {
  readonly me: Me;
  /** Returns a valid token; called before each request, and again after a 401 response. */
  readonly token: TokenProvider;
  signOut(): void;
  /** If omitted, the server does not let its users choose who they are. */
  readonly development?: DevelopmentUsers | undefined;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('You are not signed in.');
  return session;
}

/**
 * Returns whether the signed-in user has at least this role. Forbidden actions are not offered; the server refuses them
 * as well.
 */
export function useHasRole(role: Role): boolean {
  return useRoleCheck()(role);
}

/** Returns a function that checks a role like `useHasRole`, for components that check several roles. */
export function useRoleCheck(): (role: Role) => boolean {
  const { role: ownRole } = useSession().me;
  return useCallback((role) => ownRole !== null && ROLES.indexOf(ownRole) >= ROLES.indexOf(role), [ownRole]);
}
