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
  unconfirmedVoteStore: UnconfirmedVoteStore,
): Pick<Handlers, 'listUnconfirmed' | 'dismissUnconfirmed'> {
  const getAccountVotes = () => {
    const account = getAccount(desktop);
    return account && unconfirmedVoteStore.forAccount(account);
  };
  return {
    listUnconfirmed: () => getAccountVotes()?.listUnconfirmed() ?? { votes: [], tooOld: [] },
    dismissUnconfirmed: ({ idempotencyKey }) => {
      getAccountVotes()?.dismiss(idempotencyKey);
      return undefined;
    },
  };
}
