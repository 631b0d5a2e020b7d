import type { Desktop } from '../desktop.js';
import type { Handlers } from '../ipc/serve-methods.js';
import type { Account, UnconfirmedVoteStore } from './unconfirmed-vote-store.js';

/** Who is signed in now, and where; `undefined`: nobody. */
export function accountOf({ state: { session, activeServerId } }: Pick<Desktop, 'state'>): Account | undefined {
  return session.kind === 'signed-in' && activeServerId !== null
    ? { serverId: activeServerId, subject: session.me.subject }
    : undefined;
}

/** Votes of before that have no answer. They are only shown, or dropped: what sends one again is `vote`, with the same vote. */
export function unsettledHandlers(
  desktop: Pick<Desktop, 'state'>,
  journal: UnconfirmedVoteStore,
): Pick<Handlers, 'listUnsettled' | 'dismissUnsettled'> {
  const entries = () => {
    const account = accountOf(desktop);
    return account && journal.at(account);
  };
  return {
    listUnsettled: () => entries()?.unsettled() ?? { votes: [], tooOld: [] },
    dismissUnsettled: ({ idempotencyKey }) => {
      entries()?.dismiss(idempotencyKey);
      return undefined;
    },
  };
}
