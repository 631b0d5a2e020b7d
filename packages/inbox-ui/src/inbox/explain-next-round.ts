import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { oneLine } from '../ui/one-line.js';
import { compareJson } from './compare-rounds.js';

const t = texts.approvals;

/** Returns why a round was followed by another one: distinguishes a user's decision from a changed subject. */
export function explainNextRound(
  { status, resolvedBy, subject, votes }: Pick<Approval, 'status' | 'resolvedBy' | 'subject' | 'votes'>,
  successor: Pick<Approval, 'subject'>,
): { readonly title: string; readonly text: string } {
  if (status === 'changes_requested') {
    const vote = votes.find(({ by }) => by === resolvedBy);
    return {
      title: t.replacedTitle,
      text: t.roundAfterChanges(oneLine(vote?.byName ?? resolvedBy ?? t.resolved.somebody, 60)),
    };
  }
  const nextSubject = successor.subject;
  if (
    nextSubject.kind === 'tool_call' &&
    nextSubject.editedBy !== null &&
    compareJson(subject.inputs, nextSubject.inputs).changes.length > 0
  )
    return { title: t.replacedTitle, text: t.roundAfterEdit(oneLine(nextSubject.editedBy, 60)) };
  return { title: t.changedTitle, text: t.roundChanged };
}
