import type { Page } from '@countersign/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import type { ItemRef } from '../approvals/approvals-path.js';
import { describeRequest, getItemId, toOneLine, type ListedItem } from '../inbox/index.js';
import { useAvailableActions } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import type { PaletteItem } from './rank-items.js';

const MAX_LISTED_ITEMS = 100;
const MAX_FOUND_ITEMS = 20;

/**
 * Returns the available key actions as palette items.
 *
 * @param opened whether the palette is open
 */
export function useActionItems(opened: boolean): readonly PaletteItem[] {
  const getAvailableActions = useAvailableActions();
  if (!opened) return [];
  return getAvailableActions().filter(({ id }) => id !== 'app.palette');
}

/**
 * Returns the approvals and questions that wait for the user as palette items. The palette itself matches the most
 * urgent ones; the others are found by the search of the server.
 *
 * @param opened whether the palette is open
 */
export function useInboxItems(opened: boolean, query: string, open: (item: ItemRef) => void): readonly PaletteItem[] {
  const client = useClient();
  const approvals = useWaiting(opened, query, 'approvals', (search, signal) =>
    client.listInbox({ inbox: 'mine', sort: 'urgency', ...search }, { signal }),
  );
  const questions = useWaiting(opened, query, 'questions', (search, signal) =>
    client.listQuestions({ status: 'pending', ...search }, { signal }),
  );
  if (!opened || query.trim() === '') return [];
  const group = texts.palette.waiting;
  return [
    ...approvals.map((approval) => ({
      id: approval.approvalId,
      group,
      label: toOneLine(approval.title, 120),
      hint: toOneLine(`${texts.risk[approval.riskLevel]} · ${describeRequest(approval)}`, 200),
      searchText: `${approval.title} ${describeRequest(approval)}`,
      run: () => open(approval),
    })),
    ...questions.map((question) => ({
      id: question.questionId,
      group,
      label: toOneLine(question.text, 120),
      hint: toOneLine(`${texts.itemKinds.question} · ${question.agentName}`, 200),
      searchText: question.text,
      run: () => open(question),
    })),
  ];
}

interface Search {
  readonly limit: number;
  readonly q?: string;
}

/** Returns the first items of a list and, if it is longer, those that the server finds. */
function useWaiting<T extends ListedItem>(
  opened: boolean,
  query: string,
  kind: 'approvals' | 'questions',
  load: (search: Search, signal: AbortSignal) => Promise<Page<T>>,
): readonly T[] {
  const [q] = useDebouncedValue(query.trim(), 150);
  const { data: firstPage } = useQuery({
    queryKey: queryKeys.inboxFound({ kind }),
    queryFn: ({ signal }) => load({ limit: MAX_LISTED_ITEMS }, signal),
    enabled: opened,
    staleTime: 10_000,
  });
  const { data: foundPage } = useQuery({
    queryKey: queryKeys.inboxFound({ kind, q }),
    queryFn: ({ signal }) => load({ q, limit: MAX_FOUND_ITEMS }, signal),
    enabled: opened && q !== '' && firstPage?.nextCursor !== null,
  });
  const items = [...(firstPage?.items ?? []), ...(foundPage?.items ?? [])];
  return [...new Map(items.map((item) => [getItemId(item), item])).values()];
}
