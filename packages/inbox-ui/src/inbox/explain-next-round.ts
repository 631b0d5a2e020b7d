import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import { compareJson } from './compare-rounds.js';

const t = texts.approvals;

/**
 * Explains why the next round has started: a user requested changes, a user edited the arguments, or the subject has
 * changed.
 */
export function explainNextRound(
  { status, resolvedBy, subject, votes }: Pick<Approval, 'status' | 'resolvedBy' | 'subject' | 'votes'>,
  successor: Pick<Approval, 'subject'>,
): { readonly title: string; readonly text: string } {
  if (status === 'changes_requested') {
    const vote = votes.find(({ by }) => by === resolvedBy);
    return {
      title: t.replacedTitle,
      text: t.roundAfterChanges(toOneLine(vote?.byName ?? resolvedBy ?? t.resolved.someone, 60)),
    };
  }
  const nextSubject = successor.subject;
  if (
    nextSubject.kind === 'tool_call' &&
    nextSubject.editedBy !== null &&
    compareJson(subject.inputs, nextSubject.inputs).changes.length > 0
  )
    return { title: t.replacedTitle, text: t.roundAfterEdit(toOneLine(nextSubject.editedBy, 60)) };
  return { title: t.changedTitle, text: t.roundChanged };
}
