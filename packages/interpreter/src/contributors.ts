import { type Actor, deriveId, getResponsiblePersonId } from '@countersign/model';
import type { Execution } from './execution.js';
import { buildApprovalSubject } from './approvals/build-approval-subject.js';
import { findPendingApprovals } from './approvals/find-approval.js';
import { findExcludedDeployers } from './approvals/find-excluded-deployers.js';
import { findExcludedUsers } from './approvals/find-excluded-users.js';

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

/** Records the person responsible for an actor: the user, or the user that an agent acts for. A service has none. */
export function* addActingPerson(execution: Execution, actor: Actor): Generator<void, void> {
  const id = getResponsiblePersonId(actor);
  if (id !== undefined) yield* addContributors(execution, [id]);
}

/**
 * Records the deployer of a BPMN model or DMN decision that the run uses or has used. With
 * `Approvals:ExcludeDeployers`, deployers may not decide the approvals of the run either.
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
 * Notifies the active child runs and the parent run, because data can flow in both directions. A run that has already
 * recorded the contributors notifies no other run, so the notifications terminate.
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
    // Not a sequential id: histories recorded before these messages existed have no id at this position.
    const messageId = deriveId(childRunId, 'contributors', toRunId, ...contributors);
    const message = { messageId, kind: 'contributors', childRunId, toRunId, rootRunId, contributors } as const;
    execution.request({ type: 'send', message });
  };
  if (parent !== null) notify(runId, parent.runId);
  for (const { waits = [] } of execution.getInstances()) {
    for (const wait of waits) if (wait.kind === 'child') notify(wait.childRunId, wait.childRunId);
    yield;
  }
}

function* updatePendingExclusions(execution: Execution): Generator<void, void> {
  for (const instance of execution.getInstances()) {
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
 * Returns the people responsible for data that is sent to another run: the initiator, unless it is a service, and all
 * contributors to the data. A child run has the same initiator as its parent run.
 */
export function collectContributors(execution: Execution): readonly string[] {
  const { startedBy, startedByService } = execution.state;
  return [
    ...new Set([...(startedByService === true ? [] : [startedBy]), ...collectContributorsWithoutInitiator(execution)]),
  ];
}

/**
 * Returns the people responsible for data sent between a child run and its parent run, without the initiator, whom both
 * share.
 */
export function collectContributorsWithoutInitiator({ state, context }: Execution): readonly string[] {
  return [...new Set([...state.editors, ...findExcludedDeployers({ state, context })])];
}

/** Returns the contributors as an object member, or no member if there are none. */
export function withContributors(contributors: readonly string[]): { readonly contributors?: readonly string[] } {
  return contributors.length === 0 ? {} : { contributors };
}

/** Returns the contributors as a field for the private part of an event, because their ids are personal data. */
export function toRecordedContributors({ contributors = [] }: { readonly contributors?: readonly string[] }): {
  contributors?: string[];
} {
  return contributors.length === 0 ? {} : { contributors: [...contributors] };
}
