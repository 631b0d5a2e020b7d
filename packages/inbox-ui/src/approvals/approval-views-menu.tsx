import { Text } from '@mantine/core';
import type { ApprovalStatus, Client } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { texts } from '../texts/index.js';
import type { SavedView } from '../ui/saved-views.js';
import { SavedViewsMenu } from '../ui/saved-views-menu.js';
import {
  normalizeFilterText,
  parseApprovalFilter,
  toApprovalQuery,
  toQuestionQuery,
  toFilterText,
  type ApprovalFilter,
  type ApprovalQuery,
  type QuestionQuery,
} from './approval-filter.js';

const t = texts.approvals.views;

/** Questions beyond this number are not counted. */
const MAX_COUNTED_QUESTIONS = 20;
const NO_QUESTIONS = Object.freeze({ count: 0, exact: true });

const PREDEFINED_VIEWS: readonly SavedView[] = Object.freeze([
  { name: t.all, query: toFilterText({ q: '' }) },
  { name: t.critical, query: toFilterText({ q: '', riskLevel: 'critical' }) },
  { name: t.high, query: toFilterText({ q: '', riskLevel: 'high' }) },
  { name: t.overdue, query: toFilterText({ q: '', due: 'overdue' }) },
  { name: t.dueSoon, query: toFilterText({ q: '', due: 'day' }) },
]);

interface ApprovalViewsMenuProps {
  readonly filter: ApprovalFilter;
  /** The inbox whose approvals and questions are counted; omitted: all approvals of the status. */
  readonly inbox: 'mine' | undefined;
  readonly status: ApprovalStatus | 'all';
  onFilter(filter: ApprovalFilter): void;
}

/** Menu of the views of the inbox, each with the number of items that wait in it. */
export function ApprovalViewsMenu({ filter, inbox, status, onFilter }: ApprovalViewsMenuProps) {
  return (
    <SavedViewsMenu
      list="approval"
      compact
      predefinedViews={PREDEFINED_VIEWS}
      query={toFilterText(filter)}
      normalize={normalizeFilterText}
      onQuery={(query) => onFilter(parseApprovalFilter(new URLSearchParams(query)))}
      renderCount={(query) => <ViewCount query={query} list={inbox === undefined ? { status } : { inbox }} />}
    />
  );
}

interface ViewCountProps {
  readonly query: string;
  readonly list: Pick<NonNullable<Parameters<Client['countInbox']>[0]>, 'inbox' | 'status'>;
}

function ViewCount({ query, list }: ViewCountProps) {
  const client = useClient();
  const getSearch = (): ApprovalQuery => toApprovalQuery(parseApprovalFilter(new URLSearchParams(query)), Date.now());
  const { data: approvals } = useQuery({
    queryKey: queryKeys.inboxCounts({ ...list, query }),
    queryFn: ({ signal }) => client.countInbox({ ...getSearch(), ...list }, { signal }),
  });
  const { data: questions, isError } = useQuery({
    queryKey: queryKeys.questionCounts({ ...list, query }),
    queryFn: ({ signal }) => countQuestions(client, toQuestionQuery(getSearch()), signal),
    enabled: list.inbox !== undefined,
    initialData: list.inbox === undefined ? NO_QUESTIONS : undefined,
  });
  if (approvals === undefined || (questions === undefined && !isError)) return null;
  const { count, exact } = questions ?? { count: 0, exact: false };
  return (
    <Text component="span" size="xs" c="dimmed">
      {texts.app.rows(approvals.total.count + count, approvals.total.exact && exact)}
    </Text>
  );
}

/** Counts pending questions. There are usually few, so the server has no counts of them. */
async function countQuestions(
  client: Client,
  search: QuestionQuery | undefined,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly exact: boolean }> {
  if (search === undefined) return NO_QUESTIONS;
  const { items } = await client.listQuestions({ ...search, limit: MAX_COUNTED_QUESTIONS + 1 }, { signal });
  return { count: Math.min(items.length, MAX_COUNTED_QUESTIONS), exact: items.length <= MAX_COUNTED_QUESTIONS };
}
