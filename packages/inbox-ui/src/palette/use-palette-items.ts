import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { describeRequest, toOneLine } from '../inbox/index.js';
import { useAvailableActions } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import type { PaletteItem } from './rank-items.js';

const MAX_LISTED_APPROVALS = 100;
const MAX_FOUND_APPROVALS = 20;

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
 * Returns the approvals that wait for the user as palette items. The palette itself matches the most urgent ones; the
 * others are found by the search of the server.
 */
export function useApprovalItems(
  opened: boolean,
  query: string,
  openApproval: (approvalId: string) => void,
): readonly PaletteItem[] {
  const client = useClient();
  const [q] = useDebouncedValue(query.trim(), 150);
  const filter = { inbox: 'mine', sort: 'urgency' } as const;
  const listQuery = useQuery({
    queryKey: queryKeys.inboxFound(filter),
    queryFn: ({ signal }) => client.listInbox({ ...filter, limit: MAX_LISTED_APPROVALS }, { signal }),
    enabled: opened,
    staleTime: 10_000,
  });
  const searchQuery = useQuery({
    queryKey: queryKeys.inboxFound({ ...filter, q }),
    queryFn: ({ signal }) => client.listInbox({ ...filter, q, limit: MAX_FOUND_APPROVALS }, { signal }),
    enabled: opened && q !== '' && listQuery.data?.nextCursor !== null,
  });
  if (!opened || query.trim() === '') return [];
  const all = new Map(
    [...(listQuery.data?.items ?? []), ...(searchQuery.data?.items ?? [])].map((approval) => [
      approval.approvalId,
      approval,
    ]),
  );
  return [...all.values()].map((approval) => ({
    id: approval.approvalId,
    group: texts.palette.approvals,
    label: toOneLine(approval.title, 120),
    hint: toOneLine(`${texts.risk[approval.riskLevel]} · ${describeRequest(approval)}`, 200),
    run: () => openApproval(approval.approvalId),
  }));
}
