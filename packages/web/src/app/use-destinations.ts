import { useSession } from '@countersign/inbox-ui/session/session';
import { DESTINATIONS, type Destination } from './navigation.js';

const ROLE_ORDER = ['viewer', 'operator', 'approver', 'admin'];

/** Returns the pages that the signed-in user may open. */
export function useDestinations(): readonly Destination[] {
  const { me } = useSession();
  return DESTINATIONS.filter(({ role }) => me.role !== null && ROLE_ORDER.indexOf(me.role) >= ROLE_ORDER.indexOf(role));
}
