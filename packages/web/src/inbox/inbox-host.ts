import type { Role } from '@countersign/contract';
import { createContext, useContext, type ReactNode } from 'react';

/** What the web UI and the desktop client do each in their own way. The client of the API comes by `ClientContext`. */
export interface InboxHost {
  /** Whether the one who looks has at least this role: what they may not do is not offered. */
  may(role: Role): boolean;
  /** Whether votes are signed here; where they are not, those that have to be can't be cast. */
  readonly signs: boolean;
  /** How one gets to a run. */
  runLink(runId: string, text: string): ReactNode;
}

export const InboxHostContext = createContext<InboxHost | undefined>(undefined);

export function useInboxHost(): InboxHost {
  const host = useContext(InboxHostContext);
  if (host === undefined) throw new Error('There is no inbox here.');
  return host;
}
