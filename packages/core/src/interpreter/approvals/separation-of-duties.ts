import type { ApprovalSubject, PendingApproval, RunState } from '../../domain/run-state.js';

/**
 * Who may not decide: whoever started the run or edited what is being approved; where the workflow asks for distinct
 * people, also whoever decided another approval of this run.
 */
export function excludedFrom(
  state: RunState,
  approval: Pick<PendingApproval, 'separationOfDuties'>,
  subject: Pick<ApprovalSubject, 'evidence'>,
): Record<string, string> {
  const excluded: Record<string, string> = {};
  if (approval.separationOfDuties === 'off') return excluded;
  if (approval.separationOfDuties === 'distinct') for (const id of state.deciders) excluded[id] = 'decided_before';
  for (const { name } of subject.evidence) {
    const artifact = Object.hasOwn(state.artifacts, name) ? state.artifacts[name] : undefined;
    // Also those whose version was replaced: the same bytes, uploaded again by another, are still their work.
    if (artifact !== undefined)
      for (const id of [artifact.by, ...(artifact.earlier ?? [])]) excluded[id] = 'edited_subject';
  }
  for (const id of state.editors) excluded[id] = 'edited_subject';
  excluded[state.startedBy] = 'started_run';
  return excluded;
}
