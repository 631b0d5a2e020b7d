import type { ApprovalComment, Client } from '@countersign/contract';
import type { MethodInput } from '../../common/methods.js';
import { createRefusal, type OperationResult } from '../../common/operation-result.js';
import { toOperationResult } from '../api/to-operation-result.js';
import type { DisplayedApprovals } from '../vote/displayed-approvals.js';

interface CommentOnApprovalOptions {
  readonly client: Pick<Client, 'commentOnApproval'>;
  readonly displayedApprovals: Pick<DisplayedApprovals, 'loads' | 'isOpened'>;
}

/**
 * Comments on an approval, but only if it was opened in the window. Repeated requests with the same idempotency key
 * count as one comment.
 */
export async function commentOnApproval(
  { client, displayedApprovals }: CommentOnApprovalOptions,
  { approvalId, body, idempotencyKey }: MethodInput<'comment'>,
): Promise<OperationResult<ApprovalComment>> {
  await displayedApprovals.loads.waitFor(approvalId);
  if (!displayedApprovals.isOpened(approvalId)) return createRefusal('not_shown');
  return toOperationResult(client.commentOnApproval({ approvalId, body }, { idempotencyKey }));
}
