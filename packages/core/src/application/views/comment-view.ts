import type { ApprovalComment, CommentedLine } from '@countersign/model';
import { toTimestamp } from './to-json-response.js';

export type CommentView = {
  commentId: string;
  approvalId: string;
  round: number;
  replyTo: string | null;
  at: string;
  by: string | null;
  byName: string | null;
  text: string | null;
  line: CommentedLine | null;
  digest: string;
};

export function toCommentView({ at, ...comment }: ApprovalComment): CommentView {
  return { ...comment, at: toTimestamp(at) };
}
