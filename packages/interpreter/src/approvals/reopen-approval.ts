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
 * Withdraws an approval whose subject changed, and opens a new round for the current subject. Events attached to the
 * step keep waiting.
 *
 * @param risk the current policy decision's risk; by default that of the previous round
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
