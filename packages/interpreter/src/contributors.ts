import { type Actor, derivedId, getResponsiblePersonId } from '@countersign/model';
import type { Execution } from './execution.js';
import { buildApprovalSubject } from './approvals/build-approval-subject.js';
import { findPendingApprovals } from './approvals/find-approval.js';
import { excludedDeployers } from './approvals/excluded-deployers.js';
import { findExcludedUsers } from './approvals/separation-of-duties.js';

/**
 * Records people who contributed to the data of the run: they edited variables, answered a question, sent a message,
 * uploaded an artifact, migrated the run, or did so in a parent or child run. Separation of duties excludes them from
 * its approvals, including pending ones.
 *
 * @param reportingRunId the run that reported them and need not be notified
 */
export function* addContributors(
  execution: Execution,
  ids: readonly string[],
  reportingRunId?: string,
): Generator<void, void> {
  const { editors } = execution.state;
  const added = [...new Set(ids)].filter((id) => !editors.includes(id));
  if (added.length === 0) return;
  execution.update({ editors: [...editors, ...added] });
  yield* updatePendingExclusions(execution);
  yield* notifyRelatedRuns(execution, added, reportingRunId);
}

/** Records the person behind an actor: a user, or the user that an agent acts for. A service has no such person. */
export function* addActingPerson(execution: Execution, actor: Actor): Generator<void, void> {
  const id = getResponsiblePersonId(actor);
  if (id !== undefined) yield* addContributors(execution, [id]);
}

/**
 * Records who deployed a model that the run uses or has used. With `Approvals:ExcludeDeployers`, they may not decide
 * its approvals either.
 */
export function* addDeployer(execution: Execution, id: string | undefined): Generator<void, void> {
  const { deployers = [] } = execution.state;
  if (id === undefined || deployers.includes(id)) return;
  execution.update({ deployers: [...deployers, id] });
  if (!execution.context.settings.excludeDeployers) return;
  yield* updatePendingExclusions(execution);
  yield* notifyRelatedRuns(execution, [id]);
}

/**
 * Notifies the active child runs and the parent run, because data from each may continue in the other. A run that
 * already knows the contributors notifies no one, so this terminates.
 */
function* notifyRelatedRuns(
  execution: Execution,
  contributors: readonly string[],
  reportingRunId?: string,
): Generator<void, void> {
  const { runId, parent } = execution.state;
  const rootRunId = parent?.rootRunId ?? runId;
  const notify = (childRunId: string, toRunId: string): void => {
    if (toRunId === reportingRunId) return;
    // Not a sequential id: histories from before these messages existed have none at this position.
    const messageId = derivedId(childRunId, 'contributors', toRunId, ...contributors);
    const message = { messageId, kind: 'contributors', childRunId, toRunId, rootRunId, contributors } as const;
    execution.request({ type: 'send', message });
  };
  if (parent !== null) notify(runId, parent.runId);
  for (const { waits = [] } of execution.all()) {
    for (const wait of waits) if (wait.kind === 'child') notify(wait.childRunId, wait.childRunId);
    yield;
  }
}

function* updatePendingExclusions(execution: Execution): Generator<void, void> {
  for (const instance of execution.all()) {
    for (const found of findPendingApprovals(execution, instance)) {
      const { approvalId } = found.approval;
      execution.request({
        type: 'approval.exclude',
        approvalId,
        excluded: findExcludedUsers(execution, found.approval, buildApprovalSubject(execution, found)),
      });
    }
    yield;
  }
}

/**
 * Returns who is behind data that leaves the run for another: its starter, if that is a person, and all contributors to
 * its data. Child runs have the starter of their parent run.
 */
export function collectContributors(execution: Execution): readonly string[] {
  const { startedBy, startedByService } = execution.state;
  return [...new Set([...(startedByService === true ? [] : [startedBy]), ...contributorsWithoutStarter(execution)])];
}

/** Returns the same for data between a child run and its parent, which share their starter. */
export function contributorsWithoutStarter({ state, context }: Execution): readonly string[] {
  return [...new Set([...state.editors, ...excludedDeployers({ state, context })])];
}

/** Returns the contributors as an object member, or no member if there are none. */
export function withContributors(contributors: readonly string[]): { readonly contributors?: readonly string[] } {
  return contributors.length === 0 ? {} : { contributors };
}

/** Returns the contributors for the private part of an event, because they are persons. */
export function toRecordedContributors({ contributors = [] }: { readonly contributors?: readonly string[] }): {
  contributors?: string[];
} {
  return contributors.length === 0 ? {} : { contributors: [...contributors] };
}
