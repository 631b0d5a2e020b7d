import { type Actor, derivedId, personBehind } from '@countersign/model';
import type { Execution } from './execution.js';
import { subjectOfApproval } from './approvals/subject-of-approval.js';
import { approvalsOf } from './approvals/find-approval.js';
import { excludedDeployers } from './approvals/excluded-deployers.js';
import { excludedFrom } from './approvals/separation-of-duties.js';

/**
 * Notes that people had a hand in the data of the run: they edited variables, answered a question, sent a message, uploaded
 * an artifact, moved the run to another version, or did so in a run that called this one or was called by it. By the
 * separation of duties they do not decide its approvals, also those that are pending already.
 *
 * @param heardFrom the run that told of them, which need not be told
 */
export function* addContributors(
  execution: Execution,
  ids: readonly string[],
  heardFrom?: string,
): Generator<void, void> {
  const { editors } = execution.state;
  const added = [...new Set(ids)].filter((id) => !editors.includes(id));
  if (added.length === 0) return;
  execution.update({ editors: [...editors, ...added] });
  yield* excludeFromPending(execution);
  yield* tellRelatives(execution, added, heardFrom);
}

/** Notes the person who had a hand in the data themselves, or by an agent that acts for them. Behind a service there is none. */
export function* addPersonBehind(execution: Execution, actor: Actor): Generator<void, void> {
  const id = personBehind(actor);
  if (id !== undefined) yield* addContributors(execution, [id]);
}

/** Notes who deployed what the run uses, or has used; with `Approvals:ExcludeDeployers` they do not decide its approvals either. */
export function* addDeployer(execution: Execution, id: string | undefined): Generator<void, void> {
  const { deployers = [] } = execution.state;
  if (id === undefined || deployers.includes(id)) return;
  execution.update({ deployers: [...deployers, id] });
  if (!execution.context.settings.excludeDeployers) return;
  yield* excludeFromPending(execution);
  yield* tellRelatives(execution, [id]);
}

/**
 * Tells the runs that this one has called and the one that called it, which are under way: what is approved there may go on
 * here, and the other way round. A run that knows already tells nobody, so it ends.
 */
function* tellRelatives(
  execution: Execution,
  contributors: readonly string[],
  heardFrom?: string,
): Generator<void, void> {
  const { runId, parent } = execution.state;
  const rootRunId = parent?.rootRunId ?? runId;
  const tell = (childRunId: string, toRunId: string): void => {
    if (toRunId === heardFrom) return;
    // No counted id: histories from before anybody was told of this have none in its place.
    const messageId = derivedId(childRunId, 'contributors', toRunId, ...contributors);
    const message = { messageId, kind: 'contributors', childRunId, toRunId, rootRunId, contributors } as const;
    execution.request({ type: 'send', message });
  };
  if (parent !== null) tell(runId, parent.runId);
  for (const { waits = [] } of execution.all()) {
    for (const wait of waits) if (wait.kind === 'child') tell(wait.childRunId, wait.childRunId);
    yield;
  }
}

function* excludeFromPending(execution: Execution): Generator<void, void> {
  for (const instance of execution.all()) {
    for (const found of approvalsOf(execution, instance)) {
      const { approvalId } = found.approval;
      execution.request({
        type: 'approval.exclude',
        approvalId,
        excluded: excludedFrom(execution, found.approval, subjectOfApproval(execution, found)),
      });
    }
    yield;
  }
}

/**
 * Who is behind data that leaves the run for another one: whoever started it, where that is a person, and all who had a
 * hand in its data. Called runs have the starter of their caller.
 */
export function contributorsOf(execution: Execution): readonly string[] {
  const { startedBy, startedByService } = execution.state;
  return [...new Set([...(startedByService === true ? [] : [startedBy]), ...contributorsWithoutStarter(execution)])];
}

/** The same of what goes between a called run and its caller, which have one starter. */
export function contributorsWithoutStarter({ state, context }: Execution): readonly string[] {
  return [...new Set([...state.editors, ...excludedDeployers({ state, context })])];
}

/** As a member of what carries data; nothing where there is nobody. */
export function withContributors(contributors: readonly string[]): { readonly contributors?: readonly string[] } {
  return contributors.length === 0 ? {} : { contributors };
}

/** Persons, so it stands in the private part of an event. */
export function recordedContributors({ contributors = [] }: { readonly contributors?: readonly string[] }): {
  contributors?: string[];
} {
  return contributors.length === 0 ? {} : { contributors: [...contributors] };
}
