import type { PendingVote } from './pending-vote.js';

interface GroupedVotes {
  /** The newest vote that was not counted or has no response. It stays on display until the user deals with it. */
  readonly failed: PendingVote | undefined;
  /** The vote that the undo key undoes or, if there is none, the newest one that is being sent. */
  readonly latest: PendingVote | undefined;
  /** All other votes, newest first. */
  readonly others: readonly PendingVote[];
}

/**
 * Groups pending votes by where they are displayed: at most two have a line of their own, however many there are.
 *
 * @param entries oldest first
 */
export function groupPendingVotes(entries: readonly PendingVote[]): GroupedVotes {
  const newestFirst = [...entries].reverse();
  const failed = newestFirst.find(hasFailed);
  const latest =
    newestFirst.find(({ state }) => state === 'undoable') ?? newestFirst.find(({ state }) => state === 'sending');
  return { failed, latest, others: newestFirst.filter((entry) => entry !== failed && entry !== latest) };
}

/** Returns whether the server did not count the vote, or sent no response. */
export function hasFailed({ state }: Pick<PendingVote, 'state'>): boolean {
  return state === 'refused' || state === 'changed' || state === 'unconfirmed';
}
