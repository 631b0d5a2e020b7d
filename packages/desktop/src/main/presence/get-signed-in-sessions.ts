import { hasRole, type Client } from '@countersign/contract';
import type { Desktop } from '../desktop.js';
import type { PresenceSession } from './waiting-items-monitor.js';

interface SignedInSession extends PresenceSession {
  readonly client: Client;
}

/** Returns the session of the signed-in user at the active server; an empty list if no user is signed in. */
export function getSignedInSessions(desktop: Desktop): SignedInSession[] {
  const { activeServerId, session: state, feed } = desktop.state;
  const session = desktop.signedInSession;
  if (session === undefined || activeServerId === null || state.kind !== 'signed-in') return [];
  const { subject, role } = state.me;
  return [
    {
      serverId: activeServerId,
      subject,
      feed,
      // The same users as in the inbox (`ApprovalsLayout` of inbox-ui).
      listsQuestions: hasRole(role ?? undefined, 'approver'),
      client: session.client,
    },
  ];
}
