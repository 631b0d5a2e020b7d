import type { PendingApproval } from '@countersign/model';
import type { Execution } from '../execution.js';
import { closeWaits, isOwnWait } from '../steps.js';
import { setLocalVariables } from '../variables.js';
import type { FoundTaskApproval } from './find-approval.js';
import { openApproval, type ApprovalRisk } from './open-approval.js';
import { reevaluatePresentation } from './evaluate-presentation.js';
import { saveRound } from './rounds.js';
import { evaluateMappedInputs, findMappedInputTaints } from './subject.js';
import { withdrawApproval } from './withdraw-approval.js';

/**
 * Withdraws an approval whose subject changed, and opens a new round for the current subject. Events attached to the
 * step keep waiting.
 *
 * @param risk the current policy decision's risk; by default that of the previous round
 */
export function reopenApproval(
  execution: Execution,
  { instance, node, approval }: FoundTaskApproval,
  reason: 'subject_changed' | 'run_migrated' = 'subject_changed',
  { riskLevel, riskFactors, rationale }: ApprovalRisk = approval,
): PendingApproval {
  withdrawApproval(execution, instance, approval, reason);
  saveRound(execution, instance, approval);
  const instanceWithoutWaits = closeWaits(execution, execution.get(instance.key), (wait) => isOwnWait(instance, wait));
  return openApproval(
    execution,
    node,
    setLocalVariables(
      execution,
      instanceWithoutWaits,
      evaluateMappedInputs(execution, node, instanceWithoutWaits),
      findMappedInputTaints(execution, node, instanceWithoutWaits),
    ),
    {
      riskLevel,
      riskFactors,
      rationale,
    },
    // The command that changed the subject must not fail because of a text.
    reevaluatePresentation,
  );
}
