import type { PendingApproval } from '../../domain/run-state.js';
import type { Execution } from '../execution.js';
import { closeWaits } from '../steps.js';
import { setLocal } from '../variables.js';
import type { FoundApproval } from './find-approval.js';
import { openApproval } from './open-approval.js';
import { rememberRound } from './rounds.js';
import { mappedInputs } from './subject.js';
import { changeApproval } from './change-approval.js';

/** The subject changed: the approval is void, and a new round asks about the subject as it is now. */
export function askAgain(execution: Execution, { instance, node, approval }: FoundApproval): PendingApproval {
  changeApproval(execution, approval, 'withdrawn', null);
  execution.emit('approval.withdrawn', instance, {
    approvalId: approval.approvalId,
    round: approval.round,
    reason: 'subject_changed',
  });
  rememberRound(execution, instance, approval);
  const bare = closeWaits(execution, execution.get(instance.key));
  return openApproval(execution, node, setLocal(execution, bare, mappedInputs(execution, node, bare)), {
    riskLevel: approval.riskLevel,
    riskFactors: approval.riskFactors,
    rationale: approval.rationale,
  });
}
