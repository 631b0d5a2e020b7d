import { useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { useSession } from '../session/session.js';
import { VisitsContext } from './visits-context.js';
import { useVisitStore } from './use-visit-store.js';

/** Provides the visits of the user to the rows of a list. A new visit renders only the parts that use it. */
export function VisitsProvider({ children }: { readonly children: ReactNode }) {
  const store = useVisitStore();
  const byApproval = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const ownId = useSession().me.subject;
  const visits = useMemo(() => ({ byApproval, ownId }), [byApproval, ownId]);
  return <VisitsContext.Provider value={visits}>{children}</VisitsContext.Provider>;
}
