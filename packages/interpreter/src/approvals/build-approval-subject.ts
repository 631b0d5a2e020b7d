import type { ApprovalSubject } from '@countersign/model';
import { buildCallSubject } from '../agents/call-subject.js';
import type { Execution } from '../execution.js';
import type { FoundApproval } from './find-approval.js';
import { reevaluatePresentation } from './evaluate-presentation.js';
import { buildTaskSubject } from './subject.js';

/**
 * Returns the subject of an approval: a call as it was assessed, or a user task with its current data, limited to the
 * variables that the approval was requested for.
 */
export function buildApprovalSubject(execution: Execution, found: FoundApproval): ApprovalSubject {
  return found.kind === 'tool_call'
    ? buildCallSubject(execution, found.instance, found.call)
    : buildTaskSubject(
        execution,
        found.node,
        found.instance,
        found.approval.subjectNames,
        found.approval.requestedAt,
        reevaluatePresentation,
      );
}
