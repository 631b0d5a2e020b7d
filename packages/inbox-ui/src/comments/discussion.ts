import type { ApprovalComment, CommentedLine } from '@countersign/contract';
import { createContext, useContext } from 'react';
import type { Thread } from './group-threads.js';

/** The comments on an approval and its earlier rounds, and what the user may do with them. */
export interface Discussion {
  readonly approvalId: string;
  /** The round that is displayed. */
  readonly round: number;
  readonly requestedBy: string;
  readonly threads: readonly Thread[];
  readonly state: 'loading' | 'failed' | 'loaded';
  readonly error: unknown;
  retry(): void;
  /** Ids of the comments that the user had not seen when the approval was opened. */
  readonly newIds: ReadonlySet<string>;
  /** Called when a comment has been in view; without an id, when the approval, or on the page of a run its discussion, has. */
  markSeen(commentId?: string): void;
  /** Whether the user may comment. */
  readonly canComment: boolean;
  /** Why nobody can comment here: the engine cannot record comments, or there is a later round. */
  readonly limitation: string | undefined;
  /** Rejects with the reason if the comment was not recorded. */
  add(body: NewComment, idempotencyKey: string): Promise<void>;
}

export interface NewComment {
  readonly text: string;
  readonly replyTo?: string;
  readonly line?: CommentedLine;
}

const DiscussionContext = createContext<Discussion | undefined>(undefined);

export const DiscussionProvider = DiscussionContext.Provider;

/** Returns the discussion of the displayed approval; `undefined` outside of an approval. */
export function useDisplayedDiscussion(): Discussion | undefined {
  return useContext(DiscussionContext);
}

export function countComments(threads: readonly Thread[]): number {
  return threads.reduce((count, { replies }) => count + 1 + replies.length, 0);
}

export function isErased({ text }: ApprovalComment): boolean {
  return text === null;
}
