import type { ApprovalSubject, PendingApproval } from '@countersign/model';
import type { Execution } from '../execution.js';
import { findExcludedDeployers } from './find-excluded-deployers.js';

/**
 * Returns the users who may not decide, with the reason. These are users who started the run, contributed to its data
 * (`addContributors`), edited the call being approved or assigned the approval to themselves. With
 * `Approvals:ExcludeDeployers`, users who deployed a workflow version or DMN decision that the run used are also
 * excluded. If the workflow requires distinct people, so are users who voted on another approval of this run.
 *
 * @param pendingContributors ids of contributors to a parent or child run that this run has not received yet
 */
export function findExcludedUsers(
  { state, context }: Pick<Execution, 'state' | 'context'>,
  approval: Pick<PendingApproval, 'separationOfDuties' | 'assignedBy'>,
  subject: Pick<ApprovalSubject, 'evidence'> & { readonly editedBy?: string | null },
  pendingContributors: readonly string[] = [],
): Record<string, string> {
  if (approval.separationOfDuties === 'off') return {};
  // An id may be `__proto__`, which an assignment to an object would lose.
  const excluded = new Map<string, string>();
  if (approval.separationOfDuties === 'distinct') for (const id of state.deciders) excluded.set(id, 'decided_before');
  for (const id of approval.assignedBy ?? []) excluded.set(id, 'assigned_self');
  for (const { name } of subject.evidence) {
    const artifact = Object.hasOwn(state.artifacts, name) ? state.artifacts[name] : undefined;
    // Uploaders of earlier versions included: the same bytes, uploaded again by someone else, are still their work.
    if (artifact !== undefined)
      for (const id of [artifact.by, ...(artifact.earlier ?? [])]) excluded.set(id, 'edited_subject');
  }
  for (const id of [...state.editors, ...pendingContributors]) excluded.set(id, 'edited_subject');
  if (subject.editedBy !== undefined && subject.editedBy !== null) excluded.set(subject.editedBy, 'edited_subject');
  for (const id of findExcludedDeployers({ state, context })) excluded.set(id, 'deployed_model');
  if (state.startedByService !== true) excluded.set(state.startedBy, 'started_run');
  return Object.fromEntries(excluded);
}
