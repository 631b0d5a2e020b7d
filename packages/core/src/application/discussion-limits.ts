import { ApiError, type CommentedLine } from '@countersign/model';
import type { DiscussionSize } from '../ports/records.js';

/** Maximum number of comments on all rounds of an approval, and of their characters, with the quoted lines. */
const MAX_COMMENTS = 1_000;
const MAX_CHARACTERS = 1_000_000;
/** The part of both that one author may use, so that nobody can silence the others. */
const AUTHOR_PART = 1 / 5;

const MAX_OWN_COMMENTS = MAX_COMMENTS * AUTHOR_PART;
const MAX_OWN_CHARACTERS = MAX_CHARACTERS * AUTHOR_PART;

/**
 * Refuses a comment that a discussion has no room for, so that its list stays readable and bounded. Requests at the same
 * time do not see each other, so they can exceed the limits by their own number.
 *
 * @throws {ApiError} `too_many_own_comments`, `too_many_comments`, `discussion_too_long`
 */
export function requireRoom(
  { comments, characters, ownComments, ownCharacters }: DiscussionSize,
  { text, line }: { readonly text: string; readonly line?: CommentedLine },
): void {
  const added = text.length + (line?.quote.length ?? 0);
  if (ownComments >= MAX_OWN_COMMENTS || ownCharacters + added > MAX_OWN_CHARACTERS)
    throw new ApiError(
      'too_many_own_comments',
      `One person can add ${format(MAX_OWN_COMMENTS)} comments with ${format(MAX_OWN_CHARACTERS)} characters to the discussion of an approval. ${ADVICE}`,
    );
  if (comments >= MAX_COMMENTS)
    throw new ApiError(
      'too_many_comments',
      `The discussion of an approval can have ${format(MAX_COMMENTS)} comments. ${ADVICE}`,
    );
  if (characters + added > MAX_CHARACTERS)
    throw new ApiError(
      'discussion_too_long',
      `The discussion of an approval can have ${format(MAX_CHARACTERS)} characters. ${ADVICE}`,
    );
}

const ADVICE = 'Continue the discussion elsewhere, or vote with a comment.';

function format(limit: number): string {
  return limit.toLocaleString('en');
}
