import type { ApprovalRecord } from '../ports/records.js';
import type { StoragePort } from '../ports/storage.js';

const PAGE_SIZE = 200;

/** Returns all approvals of a run, in any status. */
export async function loadRunApprovals(
  storage: Pick<StoragePort, 'listApprovals'>,
  runId: string,
): Promise<ApprovalRecord[]> {
  const approvals: ApprovalRecord[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await storage.listApprovals(
      { runId },
      { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
    );
    approvals.push(...page.items);
    cursor = page.nextCursor;
  }
  return approvals;
}
