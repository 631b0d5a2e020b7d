import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { usePages, type Pages } from '../ui/use-pages.js';
import { useMyApprovals } from './use-sections.js';

/** How many wait, as far as they are loaded; `more`: at least that many. */
export interface WaitingCount {
  readonly count: number;
  readonly more: boolean;
}

/** What waits for the person, by where it is looked at; the same lists as the pages show, so that nothing is asked twice. */
export function useWaitingCounts(): { readonly approvals: WaitingCount; readonly questions: WaitingCount } {
  const client = useClient();
  const questions = usePages(keys.questions({ status: 'pending' }), (cursor, signal) =>
    client.listQuestions({ status: 'pending', limit: 100, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  return { approvals: countOf(useMyApprovals('')), questions: countOf(questions) };
}

function countOf<T>({ items, query }: Pages<T>): WaitingCount {
  return { count: items.length, more: query.hasNextPage };
}
