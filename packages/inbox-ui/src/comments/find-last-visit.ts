import type { Approval, ApprovalComment } from '@countersign/contract';
import type { Visit } from './visit-store.js';

/** The visits of a user before an approval was opened, by approval id. */
export type EarlierVisits = ReadonlyMap<string, Visit>;

/** The earlier round with which an approval is compared. */
export interface KnownRound {
  readonly round: Approval;
  /** Whether the user has seen its whole subject or voted on it. */
  readonly wasSeen: boolean;
}

/**
 * Returns the earlier round that the user knows: the last one that they have seen completely or voted on, otherwise the
 * previous one. To a user who has seen only a part of a round, changes of the rest would not be shown as changes.
 *
 * @param earlierRounds newest first
 */
export function findKnownRound(earlierRounds: readonly Approval[], visits: EarlierVisits): KnownRound | undefined {
  const seen = earlierRounds.find(
    ({ approvalId, votedByCaller }) => votedByCaller || visits.get(approvalId)?.sawSubject === true,
  );
  const round = seen ?? earlierRounds[0];
  return round === undefined ? undefined : { round, wasSeen: seen !== undefined };
}

/**
 * Returns the number of comments, from the oldest, that the user has seen in earlier visits.
 *
 * @param comments on all rounds, oldest first
 * @param visits at the approval and its earlier rounds
 */
export function countSeenComments(comments: readonly ApprovalComment[], visits: readonly Visit[]): number {
  return Math.max(0, ...visits.map((visit) => findPosition(comments, visit) + 1));
}

/** Comments can have equal times, so the order in which the server lists them counts. */
function findPosition(comments: readonly ApprovalComment[], { lastCommentId, lastCommentAt }: Visit): number {
  const position = comments.findIndex(({ commentId }) => commentId === lastCommentId);
  return position === -1 ? comments.findLastIndex(({ at }) => at <= lastCommentAt) : position;
}

/**
 * Returns the number of comments, from the oldest, that the user has seen or written.
 *
 * @param count number of comments that the user has seen in earlier visits
 * @param seenIds comments that have been in view since then
 */
export function extendSeenCount(
  comments: readonly ApprovalComment[],
  count: number,
  seenIds: ReadonlySet<string>,
  ownId: string,
): number {
  const firstUnseen = comments.findIndex(
    ({ commentId, by }, index) => index >= count && by !== ownId && !seenIds.has(commentId),
  );
  return firstUnseen === -1 ? comments.length : firstUnseen;
}

/**
 * Returns the ids of the comments of others after those that the user has seen.
 *
 * @param comments on all rounds, oldest first
 */
export function findNewComments(
  comments: readonly ApprovalComment[],
  seenCount: number,
  ownId: string,
): ReadonlySet<string> {
  return new Set(
    comments
      .slice(seenCount)
      .filter(({ by }) => by !== ownId)
      .map(({ commentId }) => commentId),
  );
}
