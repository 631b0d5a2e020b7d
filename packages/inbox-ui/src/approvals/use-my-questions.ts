import type { Question } from '@countersign/contract';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { usePages, type Pages } from '../ui/use-pages.js';
import type { QuestionQuery } from './approval-filter.js';

const PAGE_SIZE = 100;
const PENDING = Object.freeze({ status: 'pending', sort: 'due' } as const);

/**
 * Returns the pending questions, by due date and then oldest first.
 *
 * @param search `undefined` if no question matches
 */
export function useMyQuestions(search: QuestionQuery | undefined): Pages<Question> {
  const client = useClient();
  return usePages(queryKeys.questions({ ...PENDING, search: search ?? 'none' }), async (cursor, signal) =>
    search === undefined
      ? { items: [], nextCursor: null }
      : client.listQuestions(
          { ...PENDING, ...search, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
          { signal },
        ),
  );
}
