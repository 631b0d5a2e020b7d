import type { ApprovalSubject, PendingApproval } from '@countersign/model';
import type { Execution } from '../execution.js';
import { excludedDeployers } from './excluded-deployers.js';

/**
 * Who may not decide: whoever started the run or had a hand in its data (`addContributors`), edited the call that is being
 * approved, or chose themselves as the one who decides; with `Approvals:ExcludeDeployers` whoever deployed a model that the
 * run used; where the workflow asks for distinct people, also whoever decided another approval of this run.
 *
 * @param contributorsUnderWay ids of people who had a hand in the data of a run that called this one or was called by it, of
 * which this run has yet to be told
 */
export function excludedFrom(
  { state, context }: Pick<Execution, 'state' | 'context'>,
  approval: Pick<PendingApproval, 'separationOfDuties' | 'assignedBy'>,
  subject: Pick<ApprovalSubject, 'evidence'> & { readonly editedBy?: string | null },
  contributorsUnderWay: readonly string[] = [],
): Record<string, string> {
  if (approval.separationOfDuties === 'off') return {};
  // An id may be `__proto__`, which an assignment to an object would lose.
  const excluded = new Map<string, string>();
  if (approval.separationOfDuties === 'distinct') for (const id of state.deciders) excluded.set(id, 'decided_before');
  for (const id of approval.assignedBy ?? []) excluded.set(id, 'assigned_self');
  for (const { name } of subject.evidence) {
    const artifact = Object.hasOwn(state.artifacts, name) ? state.artifacts[name] : undefined;
    // Also those whose version was replaced: the same bytes, uploaded again by another, are still their work.
    if (artifact !== undefined)
      for (const id of [artifact.by, ...(artifact.earlier ?? [])]) excluded.set(id, 'edited_subject');
  }
  for (const id of [...state.editors, ...contributorsUnderWay]) excluded.set(id, 'edited_subject');
  if (subject.editedBy !== undefined && subject.editedBy !== null) excluded.set(subject.editedBy, 'edited_subject');
  for (const id of excludedDeployers({ state, context })) excluded.set(id, 'deployed_model');
  if (state.startedByService !== true) excluded.set(state.startedBy, 'started_run');
  return Object.fromEntries(excluded);
}
