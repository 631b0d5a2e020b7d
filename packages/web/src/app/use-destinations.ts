import { useSession } from '@countersign/inbox-ui/session/session';
import { DESTINATIONS, type Destination } from './navigation.js';

const ORDER = ['viewer', 'operator', 'approver', 'admin'];

/** The pages that the one who is signed in may see. */
export function useDestinations(): readonly Destination[] {
  const { me } = useSession();
  return DESTINATIONS.filter(({ role }) => me.role !== null && ORDER.indexOf(me.role) >= ORDER.indexOf(role));
}
