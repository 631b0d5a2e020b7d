import type { Approval, DevelopmentUser } from '@countersign/contract';
import { findDevelopmentVoter } from './find-development-voter.js';
import { useSession } from './session.js';

/** Returns the user as whom the user of a development server can continue, in order to decide an approval. */
export function useDevelopmentVoter(approval: Approval): DevelopmentUser | undefined {
  const { me, development } = useSession();
  return development === undefined ? undefined : findDevelopmentVoter(approval, development.users, me.subject);
}
