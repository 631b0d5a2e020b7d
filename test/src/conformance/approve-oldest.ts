import { type Client, ProblemError } from '@countersign/contract';

/** Maximum number of rounds of one approval with a changing subject. */
const MAX_ROUNDS = 20;
const PAGE_SIZE = 200;

/**
 * Approves the oldest pending approval at a user task. If the subject changes meanwhile, loads the new round and
 * approves it, as a user would.
 *
 * @param settle called after each attempt
 * @returns `false` if no approval is pending at the user task
 */
export async function approveOldest(
  approver: Client,
  elementId: string,
  settle: () => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { items } = await approver.listApprovals({ status: 'pending', limit: PAGE_SIZE });
    // The list begins with the newest one.
    const oldest = items.findLast((approval) => approval.elementId === elementId);
    if (oldest === undefined) return false;
    const body = { decision: 'approve', expectedDigest: oldest.digest, round: oldest.round } as const;
    try {
      await approver.decideApproval({ approvalId: oldest.approvalId, body });
      return true;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'stale_digest')) throw error;
    } finally {
      await settle();
    }
  }
  throw new Error(
    `The subject of the approval at "${elementId}" has changed in ${MAX_ROUNDS} consecutive attempts to approve it.`,
  );
}
