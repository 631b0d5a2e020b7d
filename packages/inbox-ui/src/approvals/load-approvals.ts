import type { Approval, Client } from '@countersign/contract';

/** Maximum number of approvals per request. */
const MAX_APPROVALS = 100;

/**
 * Loads whole approvals, in the given order. Approvals that do not exist are left out.
 *
 * @param approvalIds at most 100
 */
export async function loadApprovals(
  client: Pick<Client, 'listApprovals'>,
  approvalIds: readonly string[],
  signal?: AbortSignal,
): Promise<Approval[]> {
  if (approvalIds.length === 0) return [];
  const { items } = await client.listApprovals(
    { approvalIds: approvalIds.join(','), status: 'all', limit: MAX_APPROVALS },
    signal === undefined ? {} : { signal },
  );
  const byId = new Map(items.map((approval) => [approval.approvalId, approval]));
  return approvalIds.flatMap((id) => byId.get(id) ?? []);
}
