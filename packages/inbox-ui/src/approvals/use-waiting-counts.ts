import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { usePages, type Pages } from '../ui/use-pages.js';
import { useMyApprovals } from './use-sections.js';

/** Number of waiting items that have been loaded. If `hasMore` is true, there are more on the server. */
export interface WaitingCount {
  readonly count: number;
  readonly hasMore: boolean;
}

/**
 * Returns the number of approvals and of questions that wait for the user. Uses the same queries as their pages, so
 * nothing is requested twice.
 */
export function useWaitingCounts(): { readonly approvals: WaitingCount; readonly questions: WaitingCount } {
  const client = useClient();
  const questions = usePages(queryKeys.questions({ status: 'pending' }), (cursor, signal) =>
    client.listQuestions({ status: 'pending', limit: 100, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  return { approvals: toWaitingCount(useMyApprovals()), questions: toWaitingCount(questions) };
}

function toWaitingCount<T>({ items, query }: Pages<T>): WaitingCount {
  return { count: items.length, hasMore: query.hasNextPage };
}
