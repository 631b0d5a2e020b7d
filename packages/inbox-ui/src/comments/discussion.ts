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
  /** Ids of the comments since the user last looked. */
  readonly newIds: ReadonlySet<string>;
  /** Whether the user may comment. */
  readonly canComment: boolean;
  /** Why nobody can comment, if the engine cannot record comments. */
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
