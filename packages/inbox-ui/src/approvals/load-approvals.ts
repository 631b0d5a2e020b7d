import { MAX_APPROVAL_IDS, type Approval, type Client } from '@countersign/contract';

/**
 * Loads whole approvals, in the given order. Approvals that do not exist are left out.
 *
 * @param approvalIds at most `MAX_APPROVAL_IDS`
 */
export async function loadApprovals(
  client: Pick<Client, 'listApprovals'>,
  approvalIds: readonly string[],
): Promise<Approval[]> {
  if (approvalIds.length === 0) return [];
  const { items } = await client.listApprovals({
    approvalIds: approvalIds.join(','),
    status: 'all',
    limit: MAX_APPROVAL_IDS,
  });
  const byId = new Map(items.map((approval) => [approval.approvalId, approval]));
  return approvalIds.flatMap((id) => byId.get(id) ?? []);
}
