import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { usePages, type Pages } from '../ui/use-pages.js';
import { useMyApprovals } from './use-sections.js';

/** Number of waiting items that are loaded; `more`: at least that many. */
export interface WaitingCount {
  readonly count: number;
  readonly more: boolean;
}

/**
 * Returns the number of items that wait for the user, by page. Uses the same queries as the pages, so nothing is
 * requested twice.
 */
export function useWaitingCounts(): { readonly approvals: WaitingCount; readonly questions: WaitingCount } {
  const client = useClient();
  const questions = usePages(queryKeys.questions({ status: 'pending' }), (cursor, signal) =>
    client.listQuestions({ status: 'pending', limit: 100, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  return { approvals: toWaitingCount(useMyApprovals('')), questions: toWaitingCount(questions) };
}

function toWaitingCount<T>({ items, query }: Pages<T>): WaitingCount {
  return { count: items.length, more: query.hasNextPage };
}
