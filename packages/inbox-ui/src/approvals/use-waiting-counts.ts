import { interleaveLists, type ListedItem } from '../inbox/index.js';
import { useHasRole } from '../session/session.js';
import type { Pages } from '../ui/use-pages.js';
import { useMyQuestions } from './use-my-questions.js';
import { useMyApprovals } from './use-sections.js';

/** Number of waiting items that have been loaded. If `hasMore` is true, there are more on the server. */
export interface WaitingCount {
  readonly count: number;
  readonly hasMore: boolean;
}

/**
 * Returns the number of items that wait for the user in the inbox and on the page of questions. The inbox lists
 * questions only for approvers. Uses the same queries as the pages, so nothing is requested twice.
 */
export function useWaitingCounts(): { readonly inbox: WaitingCount; readonly questions: WaitingCount } {
  const listsQuestions = useHasRole('approver');
  const approvals = useMyApprovals();
  const questions = useMyQuestions({});
  return {
    inbox: countWaiting(listsQuestions ? [approvals, questions] : [approvals]),
    questions: countWaiting([questions]),
  };
}

function countWaiting(pages: readonly Pages<ListedItem>[]): WaitingCount {
  const lists = pages.map(({ items, query }) => ({ items, hasMore: query.hasNextPage }));
  return { count: interleaveLists(lists).length, hasMore: lists.some(({ hasMore }) => hasMore) };
}
