import { useSession } from '@countersign/inbox-ui/session/session';
import { DESTINATIONS, type Destination } from './navigation.js';

const ORDER = ['viewer', 'operator', 'approver', 'admin'];

/** Returns the pages that the signed-in user may open. */
export function useDestinations(): readonly Destination[] {
  const { me } = useSession();
  return DESTINATIONS.filter(({ role }) => me.role !== null && ORDER.indexOf(me.role) >= ORDER.indexOf(role));
}
