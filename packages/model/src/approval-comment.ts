import type { JsonObject } from './json.js';

/** A line of a text in the subject of an approval, or in its evidence, that a comment is about. */
export interface CommentedLine {
  /** RFC 6901 pointer to the text in the subject, for example `/inputs/patch`; undefined: the text is evidence. */
  readonly pointer?: string;
  /** Name of the evidence; undefined: the text is in the subject. */
  readonly evidence?: string;
  /** Path of the file, if the text is a patch. */
  readonly file?: string;
  /** The side of a difference on which the line is. A text without a comparison is `after`. */
  readonly side: 'before' | 'after';
  /** Line number on this side, from 1. */
  readonly number: number;
  /** The line, possibly truncated, as the client of the author displayed it. */
  readonly quote: string;
}

/** A comment on an approval. */
export interface ApprovalComment {
  readonly commentId: string;
  readonly approvalId: string;
  readonly round: number;
  /** The comment that started the thread; `null` if this comment started it. */
  readonly replyTo: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the author; `null`, like `byName`, `text` and `line`, if it was erased. */
  readonly by: string | null;
  readonly byName: string | null;
  readonly text: string | null;
  /** The line that the comment is about; `null`: the whole approval. */
  readonly line: CommentedLine | null;
  /** Digest of the subject when the comment was written. */
  readonly digest: string;
}

/** Reads an `approval.commented` event, whose private part may have been erased. */
export function readComment({
  at,
  data,
  private: privatePart,
}: {
  readonly at: number;
  readonly data: JsonObject;
  readonly private: JsonObject | null;
}): ApprovalComment {
  const { actor, text, line } = (privatePart ?? {}) as {
    readonly actor?: { readonly id: string; readonly name: string | null };
    readonly text?: string;
    readonly line?: CommentedLine;
  };
  const { commentId, approvalId, round, replyTo, digest } = data;
  return {
    commentId: String(commentId),
    approvalId: String(approvalId),
    round: Number(round),
    replyTo: typeof replyTo === 'string' ? replyTo : null,
    at,
    by: actor?.id ?? null,
    byName: actor?.name ?? null,
    text: text ?? null,
    line: line ?? null,
    digest: String(digest),
  };
}
