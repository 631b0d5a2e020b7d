import { useHasRole } from '../session/session.js';
import { combineLists } from './combine-lists.js';
import { useMyQuestions } from './use-my-questions.js';
import { useMyApprovals } from './use-sections.js';

/** Number of waiting items that have been loaded. If `hasMore` is true, there are more on the server. */
export interface WaitingCount {
  readonly count: number;
  readonly hasMore: boolean;
}

/**
 * Returns the number of items that wait for the user in the inbox and on the page of questions. The inbox lists
 * questions only for approvers. Uses the same queries as these pages without a filter.
 */
export function useWaitingCounts(): { readonly inbox: WaitingCount; readonly questions: WaitingCount } {
  const listsQuestions = useHasRole('approver');
  const approvals = useMyApprovals();
  const questions = useMyQuestions({});
  const inbox = listsQuestions ? combineLists(approvals, questions) : approvals;
  return {
    inbox: { count: inbox.items.length, hasMore: inbox.hasMore },
    questions: { count: questions.items.length, hasMore: questions.hasMore },
  };
}
