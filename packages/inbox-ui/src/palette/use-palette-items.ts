import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { effectOfApproval, oneLine } from '../inbox/index.js';
import { useOfferedActions } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import type { PaletteItem } from './rank-items.js';

const LISTED = 100;
const FOUND = 20;

/**
 * Returns the available key actions as palette items.
 *
 * @param opened whether the palette is open
 */
export function useActionItems(opened: boolean): readonly PaletteItem[] {
  const offered = useOfferedActions();
  if (!opened) return [];
  return offered().filter(({ id }) => id !== 'app.palette');
}

/**
 * Returns the approvals that wait for the user as palette items, by title: the most urgent ones match loosely, all
 * others as the server finds them.
 */
export function useApprovalItems(
  opened: boolean,
  query: string,
  show: (approvalId: string) => void,
): readonly PaletteItem[] {
  const client = useClient();
  const [q] = useDebouncedValue(query.trim(), 150);
  const filter = { inbox: 'mine', sort: 'urgency' } as const;
  const listed = useQuery({
    queryKey: keys.approvals({ ...filter, palette: true }),
    queryFn: ({ signal }) => client.listApprovals({ ...filter, limit: LISTED }, { signal }),
    enabled: opened,
    staleTime: 10_000,
  });
  const found = useQuery({
    queryKey: keys.approvals({ ...filter, q, palette: true }),
    queryFn: ({ signal }) => client.listApprovals({ ...filter, q, limit: FOUND }, { signal }),
    enabled: opened && q !== '' && listed.data?.nextCursor !== null,
  });
  if (!opened || query.trim() === '') return [];
  const all = new Map(
    [...(listed.data?.items ?? []), ...(found.data?.items ?? [])].map((approval) => [approval.approvalId, approval]),
  );
  return [...all.values()].map((approval) => ({
    id: approval.approvalId,
    group: texts.palette.approvals,
    label: oneLine(approval.title, 120),
    hint: oneLine(`${texts.risk[approval.riskLevel]} · ${effectOfApproval(approval)}`, 200),
    run: () => show(approval.approvalId),
  }));
}
