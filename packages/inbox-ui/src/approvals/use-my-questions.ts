import { ProblemError, type Client, type Question, type QuestionStatus } from '@countersign/contract';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { usePages, type Pages } from '../ui/use-pages.js';
import type { QuestionQuery } from './approval-filter.js';
import { RELOAD_MS } from './reload-ms.js';

type QuestionList = NonNullable<Parameters<Client['listQuestions']>[0]>;

const PAGE_SIZE = 100;
/** The clients whose servers cannot sort questions, because they are older than this client. */
const unsortedClients = new WeakSet<Client>();

/**
 * Returns the pending questions, by due date and then oldest first.
 *
 * @param search `undefined` if no question matches
 */
export function useMyQuestions(search: QuestionQuery | undefined): Pages<Question> {
  return useQuestions('pending', search);
}

/**
 * Returns the questions of a status: pending ones by due date and then oldest first, others newest first.
 *
 * @param search `undefined` if no question matches
 */
export function useQuestions(status: QuestionStatus, search: QuestionQuery | undefined): Pages<Question> {
  const client = useClient();
  return usePages(
    queryKeys.questions({ status, search: search ?? 'none' }),
    async (cursor, signal) =>
      search === undefined
        ? { items: [], nextCursor: null }
        : listQuestions(
            client,
            { status, ...search, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
            signal,
          ),
    RELOAD_MS,
  );
}

async function listQuestions(
  client: Client,
  list: QuestionList,
  signal: AbortSignal,
): ReturnType<Client['listQuestions']> {
  if (list.status === 'pending' && !unsortedClients.has(client)) {
    try {
      return await client.listQuestions({ ...list, sort: 'due' }, { signal });
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'invalid_parameter')) throw error;
    }
    // Throws the same error if the server refuses another parameter.
    const page = await client.listQuestions(list, { signal });
    unsortedClients.add(client);
    return page;
  }
  return client.listQuestions(list, { signal });
}
