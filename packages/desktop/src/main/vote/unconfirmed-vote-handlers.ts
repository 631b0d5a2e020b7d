import type { Desktop } from '../desktop.js';
import type { Handlers } from '../ipc/serve-methods.js';
import type { Account, UnconfirmedVoteStore } from './unconfirmed-vote-store.js';

/** Returns the signed-in user and server; `undefined`: no user is signed in. */
export function getAccount({ state: { session, activeServerId } }: Pick<Desktop, 'state'>): Account | undefined {
  return session.kind === 'signed-in' && activeServerId !== null
    ? { serverId: activeServerId, subject: session.me.subject }
    : undefined;
}

/**
 * Creates the methods for unconfirmed votes. They only list or drop votes; to send a vote again, the window calls
 * `vote` with the same input.
 */
export function createUnconfirmedVoteHandlers(
  desktop: Pick<Desktop, 'state'>,
  journal: UnconfirmedVoteStore,
): Pick<Handlers, 'listUnconfirmed' | 'dismissUnconfirmed'> {
  const getJournal = () => {
    const account = getAccount(desktop);
    return account && journal.forAccount(account);
  };
  return {
    listUnconfirmed: () => getJournal()?.listUnconfirmed() ?? { votes: [], tooOld: [] },
    dismissUnconfirmed: ({ idempotencyKey }) => {
      getJournal()?.dismiss(idempotencyKey);
      return undefined;
    },
  };
}
