import { z } from 'zod';
import { toOneLine } from '../text.js';

const MAX_LINES = 200;

/**
 * The changes that reviewers have requested so far, in all rounds. The draft step returns them as a variable and
 * reads them again in the next round.
 */
export const ReviewSchema = z.object({
  /** The last round whose comment was applied; 0 if there is none. */
  round: z.number().int().min(0),
  exclude: z.array(z.object({ kind: z.enum(['type', 'scope', 'commit']), value: z.string() })),
  /** Lines to add at the top of the release notes. */
  add: z.array(z.string()),
  /** Comment lines of the last round that this step cannot apply. The next approver sees them. */
  open: z.array(z.string()),
});

export type Review = z.infer<typeof ReviewSchema>;

export const NO_REVIEW: Review = { round: 0, exclude: [], add: [], open: [] };

/** A commit id needs at least 7 digits. */
const EXCLUDE_PATTERN = /^exclude\s+(type|scope|commit(?=\s+[0-9a-f]{7,40}$))\s+(\S{1,100})$/i;
const ADD_PATTERN = /^add\s+(\S.*)$/i;

/**
 * Applies the comment of a request for changes, line by line:
 *
 * - `exclude type ci`, `exclude scope deps`, `exclude commit 1a2b3c4`: leaves these commits out of the notes
 * - `add Needs PostgreSQL 16.`: adds the line at the top
 * - any other line is added to `open`, including a commit id with fewer than 7 digits
 *
 * A round that was already applied changes nothing, because a job may be executed twice.
 */
export function applyComment(review: Review, round: number, comment: string): Review {
  if (round <= review.round) return review;
  const next: Review = { round, exclude: [...review.exclude], add: [...review.add], open: [] };
  for (const rawLine of comment.split('\n').slice(0, MAX_LINES)) {
    const line = toOneLine(rawLine, 300).replace(/^[-*]\s+/, '');
    if (line === '') continue;
    const exclude = EXCLUDE_PATTERN.exec(line);
    const add = ADD_PATTERN.exec(line);
    if (exclude !== null) next.exclude.push(toExclusion(exclude[1] ?? '', exclude[2] ?? ''));
    else if (add !== null) next.add.push(add[1] ?? '');
    else next.open.push(line);
  }
  return next;
}

function toExclusion(kind: string, value: string): Review['exclude'][number] {
  const lowerCaseKind = kind.toLowerCase();
  return {
    kind: lowerCaseKind === 'type' || lowerCaseKind === 'scope' ? lowerCaseKind : 'commit',
    value: value.toLowerCase(),
  };
}
