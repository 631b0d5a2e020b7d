import type { Me, Role, TokenProvider } from '@countersign/contract';
import { createContext, useCallback, useContext } from 'react';

const ROLES: readonly Role[] = ['viewer', 'operator', 'approver', 'admin'];

export interface Session {
  readonly me: Me;
  /** Returns the valid token; called before each request, and after one that the server refused with 401. */
  readonly token: TokenProvider;
  signOut(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('You are not signed in.');
  return session;
}

/** Whether the one who is signed in has at least this role. What they may not do is not offered; the server refuses it as well. */
export function useMay(role: Role): boolean {
  return useRoleCheck()(role);
}

/** As `useMay`, for several roles. */
export function useRoleCheck(): (role: Role) => boolean {
  const { role: own } = useSession().me;
  return useCallback((role) => own !== null && ROLES.indexOf(own) >= ROLES.indexOf(role), [own]);
}
