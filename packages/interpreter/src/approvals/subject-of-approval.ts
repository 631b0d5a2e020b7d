import type { ApprovalSubject } from '@countersign/model';
import { callSubject } from '../agents/call-subject.js';
import type { Execution } from '../execution.js';
import type { FoundApproval } from './find-approval.js';
import { subjectOf } from './subject.js';

/** What people are asked about: a call as it was decided on, a user task as things stand, as far as it was asked about. */
export function subjectOfApproval(execution: Execution, found: FoundApproval): ApprovalSubject {
  return found.kind === 'tool_call'
    ? callSubject(execution, found.instance, found.call)
    : subjectOf(execution, found.node, found.instance, found.approval.subjectNames);
}
