import type { Approval, ApprovalComment } from '@countersign/contract';
import type { Visit } from './visit-store.js';

/** The visits of a user before an approval was opened, by approval id. */
export type EarlierVisits = ReadonlyMap<string, Visit>;

/** The earlier round with which an approval is compared. */
export interface KnownRound {
  readonly round: Approval;
  /** Whether the user has looked at it or voted on it. */
  readonly wasSeen: boolean;
}

/**
 * Returns the earlier round that the user knows: the last one that they looked at or voted on, otherwise the previous
 * one.
 *
 * @param earlierRounds newest first
 */
export function findKnownRound(earlierRounds: readonly Approval[], visits: EarlierVisits): KnownRound | undefined {
  const seen = earlierRounds.find(({ approvalId, votedByCaller }) => votedByCaller || visits.has(approvalId));
  const round = seen ?? earlierRounds[0];
  return round === undefined ? undefined : { round, wasSeen: seen !== undefined };
}

/**
 * Returns the comments of others since the user last looked at an approval or commented on it, by id. None are new to a
 * user who has never seen the approval.
 *
 * @param comments on all rounds, oldest first
 * @param visits at the approval and its earlier rounds
 */
export function findNewComments(
  comments: readonly ApprovalComment[],
  visits: readonly (Visit | undefined)[],
  ownId: string,
): ReadonlySet<string> {
  const lastVisits = visits.flatMap((visit) => visit?.lastCommentAt ?? []);
  if (lastVisits.length === 0) return new Set();
  const ownTimes = comments.filter(({ by }) => by === ownId).map(({ at }) => at);
  const since = [...lastVisits, ...ownTimes].reduce((latest, at) => (at > latest ? at : latest));
  return new Set(comments.filter(({ at, by }) => by !== ownId && at > since).map(({ commentId }) => commentId));
}
