import type { ApprovalComment } from '@countersign/contract';

/** Builds a comment; `id` also determines its time. */
export function buildComment(id: number, changes: Partial<ApprovalComment> = {}): ApprovalComment {
  return {
    commentId: `comment-${id}`,
    approvalId: 'approval-1',
    round: 1,
    replyTo: null,
    at: `2026-12-01T10:00:0${id}.000Z`,
    by: 'ada',
    byName: null,
    text: 'Why?',
    line: null,
    digest: `sha256:${'0'.repeat(64)}`,
    ...changes,
  };
}
