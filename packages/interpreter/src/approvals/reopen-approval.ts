import type { PendingApproval } from '@countersign/model';
import type { Execution } from '../execution.js';
import { closeWaits, isOwnWait } from '../steps.js';
import { setLocal } from '../variables.js';
import type { FoundTask } from './find-approval.js';
import { openApproval, type ApprovalRisk } from './open-approval.js';
import { rememberRound } from './rounds.js';
import { mappedInputs, mappedTaints } from './subject.js';
import { withdrawApproval } from './withdraw-approval.js';

/**
 * The subject changed: the approval is void, and a new round asks about the subject as it is now. What is attached to the
 * step goes on waiting.
 *
 * @param risk what the policy says now; by default what it said before
 */
export function reopenApproval(
  execution: Execution,
  { instance, node, approval }: FoundTask,
  reason: 'subject_changed' | 'run_migrated' = 'subject_changed',
  { riskLevel, riskFactors, rationale }: ApprovalRisk = approval,
): PendingApproval {
  withdrawApproval(execution, instance, approval, reason);
  rememberRound(execution, instance, approval);
  const bare = closeWaits(execution, execution.get(instance.key), (wait) => isOwnWait(instance, wait));
  return openApproval(
    execution,
    node,
    setLocal(execution, bare, mappedInputs(execution, node, bare), mappedTaints(execution, node, bare)),
    {
      riskLevel,
      riskFactors,
      rationale,
    },
  );
}
