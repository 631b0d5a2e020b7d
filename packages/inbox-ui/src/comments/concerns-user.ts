import type { ApprovalComment } from '@countersign/contract';

/**
 * Returns whether a comment concerns a user: the requester, or somebody who has commented on the approval before.
 *
 * @param comments all comments on the approval
 */
export function concernsUser(
  comment: ApprovalComment,
  comments: readonly ApprovalComment[],
  requestedBy: string,
  subject: string,
): boolean {
  if (comment.by === subject || comment.text === null) return false;
  return requestedBy === subject || comments.some(({ by, at }) => by === subject && at <= comment.at);
}
