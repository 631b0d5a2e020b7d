import type { ApprovalComment } from '@countersign/contract';

/** A comment with its replies. */
export interface Thread {
  readonly first: ApprovalComment;
  /** Oldest first. */
  readonly replies: readonly ApprovalComment[];
}

/**
 * Groups comments into threads, in the order of their first comments. A reply whose thread is not among the comments is
 * a thread of its own, so that no comment is hidden.
 *
 * @param comments oldest first
 */
export function groupThreads(comments: readonly ApprovalComment[]): readonly Thread[] {
  const threads = new Map<string, { first: ApprovalComment; replies: ApprovalComment[] }>();
  for (const comment of comments) {
    const thread = comment.replyTo === null ? undefined : threads.get(comment.replyTo);
    if (thread === undefined) threads.set(comment.commentId, { first: comment, replies: [] });
    else thread.replies.push(comment);
  }
  return [...threads.values()];
}
