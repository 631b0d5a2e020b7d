import {
  type Absence,
  type Actor,
  type ChildReport,
  type Command,
  type ElementInstance,
  isJsonObject,
  isNewerRunEvent,
  type JobWait,
  type Json,
  type JsonObject,
  type ParentRun,
  type PendingApproval,
  type RunState,
  type ShownEvidence,
  type SignalWait,
  type StartingEvent,
  type VerifiableVoteFields,
  buildVerifiableVoteFields,
  type VoteSignature,
  type Wait,
  type WorkflowGraph,
} from '@countersign/model';
import { readShownEvidence } from '@countersign/model/evidence';
import { ReplayGap, requirePrivatePart, type RecordedEvent } from './recorded-event.js';

/** Facts of a run that never change and are in its state, not in its history. */
export interface RunIdentity {
  readonly runId: string;
  readonly parent: ParentRun | null;
}

/** The events of one command and those after it, starting with the command's first event. */
export type UpcomingEvents = readonly [RecordedEvent, ...RecordedEvent[]];

const REPLAY_ACTOR: Actor = Object.freeze({ type: 'service', id: 'replay', name: null });

/**
 * Reconstructs the command that produced the first event.
 *
 * @throws {ReplayGap} if the events do not determine a command, or data that it needs was erased
 */
export function buildRecordedCommand(
  upcoming: UpcomingEvents,
  graph: WorkflowGraph,
  state: RunState | null,
  facts: RunIdentity,
): Command {
  const [first] = upcoming;
  if (state === null) return buildStartCommand(first, facts);
  switch (first.type) {
    case 'message.received':
      return {
        type: 'message.correlate',
        actor: REPLAY_ACTOR,
        subscriptionId: toText(first.data['subscriptionId']),
        payload: toObject(requirePrivatePart(first)['payload']),
        ...readContributors(first),
      };
    case 'signal.received':
      return {
        type: 'signal.receive',
        actor: REPLAY_ACTOR,
        subscriptionId: requireSignalWait(first, state).subscriptionId,
        payload: toObject(requirePrivatePart(first)['payload']),
        ...readContributors(first),
      };
    case 'timer.fired':
      return { type: 'timer.fire', actor: REPLAY_ACTOR, timerId: toText(first.data['timerId']) };
    case 'child.ended':
    case 'escalation.thrown':
      return { type: 'child.report', actor: REPLAY_ACTOR, ...readChildReport(upcoming, graph, state) };
    case 'contributors.added':
      return {
        type: 'contributors.add',
        actor: REPLAY_ACTOR,
        contributors: toStringList(requirePrivatePart(first)['contributors']),
      };
    case 'approval.voted':
    case 'approval.delegated':
    case 'approval.reassigned':
    case 'approval.withdrawn':
      return buildApprovalCommand(first, state);
    case 'artifact.created':
      return buildArtifactCommand(first);
    case 'personal_data.erased':
      throw new ReplayGap(
        'erased',
        first.seq,
        `Run event ${first.seq} erased personal data, including data in variables, so the run cannot be replayed from this event on.`,
      );
    case 'run.cancel_requested':
      return { type: 'cancel', actor: readActor(first), reason: null };
    case 'run.recovered':
      return buildRecoverCommand(first);
    case 'run.migrated': {
      const { toVersion, toDigest, mapping } = first.data;
      return {
        type: 'migrate',
        actor: readActor(first),
        workflowVersion: Number(toVersion),
        workflowDigest: toText(toDigest),
        mapping: toObject(mapping) as Record<string, string>,
        comment: null,
      };
    }
    default:
      return buildJobCommand(first, state);
  }
}

function buildStartCommand(first: RecordedEvent, { runId, parent }: RunIdentity): Command {
  if (first.type !== 'run.started') throw createReplayMismatch(first, 'a run does not start with this event');
  const { actor: _actor, inputs, businessKey, startEvent } = requirePrivatePart(first);
  return {
    type: 'start',
    actor: readActor(first),
    runId,
    workflowVersion: Number(first.data['workflowVersion']),
    workflowDigest: toText(first.data['workflowDigest']),
    businessKey: typeof businessKey === 'string' ? businessKey : null,
    inputs: toObject(inputs),
    ...readContributors(first),
    ...(parent === null ? {} : { parent }),
    ...(isJsonObject(startEvent) ? { startEvent: startEvent as unknown as StartingEvent } : {}),
  };
}

/** Returns the command of a worker. The first event of a completed job contains its output. */
function buildJobCommand(first: RecordedEvent, state: RunState): Command {
  const instance = findInstance(first, state);
  const job = instance?.waits?.find((wait): wait is JobWait => wait.kind === 'job');
  if (instance === undefined || job === undefined)
    throw createReplayMismatch(first, 'the run was not waiting for anything that causes this event');
  const { jobId } = job;
  switch (first.type) {
    case 'step.completed':
      return {
        type: 'job.complete',
        actor: REPLAY_ACTOR,
        jobId,
        output: toObject(requirePrivatePart(first)['output']),
        agentName: null,
      };
    case 'step.attempt_failed': {
      const { code, nextAttemptAt } = first.data;
      const retryAfterMs = Math.max(0, Date.parse(toText(nextAttemptAt)) - first.at);
      return {
        type: 'job.fail',
        actor: REPLAY_ACTOR,
        jobId,
        code: toText(code),
        message: readMessage(first),
        retryable: true,
        retryAfterMs,
      };
    }
    case 'step.failed':
      if (first.data['phase'] === 'leave')
        return { type: 'job.complete', actor: REPLAY_ACTOR, jobId, output: requireResult(first), agentName: null };
      return {
        type: 'job.fail',
        actor: REPLAY_ACTOR,
        jobId,
        code: toText(first.data['code']),
        message: readMessage(first),
        retryable: first.data['retryable'] === true && job.retries <= 1,
      };
    case 'error.thrown': {
      const { message, variables } = requirePrivatePart(first);
      return {
        type: 'job.error',
        actor: REPLAY_ACTOR,
        jobId,
        errorCode: toText(first.data['code']),
        message: toText(message),
        variables: toObject(variables),
      };
    }
    default:
      throw createReplayMismatch(first, 'no command starts with this event');
  }
}

function readChildReport(
  [first, ...laterEvents]: UpcomingEvents,
  graph: WorkflowGraph,
  state: RunState,
): { childRunId: string; report: ChildReport } {
  const instance = findInstance(first, state);
  const wait = instance?.waits?.find((each): each is Extract<Wait, { kind: 'child' }> => each.kind === 'child');
  if (instance === undefined || wait === undefined)
    throw createReplayMismatch(first, 'the run was not waiting for a child run at this step');
  const { childRunId } = wait;
  const contributorsField = readContributors(first);
  const { variables, code, message } = requirePrivatePart(first);
  if (first.type === 'escalation.thrown')
    return {
      childRunId,
      report: {
        kind: 'escalation',
        code: toText(first.data['code']),
        variables: toObject(variables),
        ...contributorsField,
      },
    };
  switch (first.data['how']) {
    case 'error':
      return {
        childRunId,
        report: {
          kind: 'error',
          code: toText(code),
          message: toText(message),
          variables: toObject(variables),
          ...contributorsField,
        },
      };
    case 'failed':
      return {
        childRunId,
        report: { kind: 'failed', code: toText(code), message: toText(message), ...contributorsField },
      };
    default: {
      const node = graph.nodes.get(instance.elementId);
      const isRecorded = node?.kind !== 'callActivity' || !node.propagateAllChildVariables;
      const leavingEvent = laterEvents.find(
        ({ type, stepId }) => stepId === first.stepId && (type === 'step.completed' || type === 'step.failed'),
      );
      if (isRecorded || leavingEvent === undefined)
        return { childRunId, report: { kind: 'completed', variables: toObject(variables), ...contributorsField } };
      return {
        childRunId,
        report: {
          kind: 'completed',
          variables:
            leavingEvent.type === 'step.completed'
              ? toObject(requirePrivatePart(leavingEvent)['output'])
              : requireResult(leavingEvent),
          ...contributorsField,
        },
      };
    }
  }
}

function buildApprovalCommand(first: RecordedEvent, state: RunState): Command {
  const approvalId = toText(first.data['approvalId']);
  const approval = requirePendingApproval(first, state, approvalId);
  if (first.type === 'approval.withdrawn') {
    // A vote on a stale subject caused the withdrawal; its only other effect was the new round.
    return {
      type: 'approval.vote',
      actor: pickEligibleVoter(approval, state),
      approvalId,
      decision: 'approve',
      comment: null,
      expectedDigest: null,
      expectedRound: null,
    };
  }
  const {
    comment = null,
    signature,
    askedAs,
    inPlaceOf,
    delegatedTo,
    absence,
    to,
    until,
    candidateUsers,
    candidateGroups,
  } = requirePrivatePart(first);
  // The groups of voters are not recorded. The replay assigns all candidate groups, unless the vote was cast in place
  // of another user.
  const askedNames = toStringList(askedAs ?? []);
  const userNames = inPlaceOf === undefined ? askedNames : delegatedTo === undefined ? [] : [toText(delegatedTo)];
  const actor: Actor = {
    ...readActor(first, userNames),
    ...(inPlaceOf === undefined ? { groups: approval.candidateGroups } : {}),
  };
  switch (first.type) {
    case 'approval.delegated':
      return {
        type: 'approval.delegate',
        actor,
        approvalId,
        to: toText(to),
        until: typeof until === 'string' ? Date.parse(until) : null,
      };
    case 'approval.reassigned':
      return {
        type: 'approval.reassign',
        actor,
        approvalId,
        candidateUsers: toStringList(candidateUsers),
        candidateGroups: toStringList(candidateGroups),
        comment: comment === null ? null : toText(comment),
      };
    default: {
      const decision = first.data['decision'] as 'approve' | 'reject' | 'request_changes';
      const voteFields = { decision, comment: comment === null ? null : toText(comment) };
      const signatureField = isJsonObject(signature)
        ? { signature: buildRecordedSignature(signature, buildVerifiableVoteFields(state.runId, approval, voteFields)) }
        : {};
      return {
        type: 'approval.vote',
        actor,
        approvalId,
        ...voteFields,
        expectedDigest: null,
        expectedRound: null,
        ...signatureField,
        ...readShownField(first),
        notCounted: toStringList(first.data['notCounted'] ?? []),
        ...(inPlaceOf === undefined ? {} : { inPlaceOf: toText(inPlaceOf) }),
        ...(isJsonObject(absence)
          ? { absences: [buildRecordedAbsence(toText(inPlaceOf), askedNames, actor.id, absence)] }
          : {}),
      };
    }
  }
}

/** Returns the absence, which was active when the vote was cast. */
function buildRecordedAbsence(
  subject: string,
  subjectNames: readonly string[],
  substitute: string,
  { absenceId, until }: JsonObject,
): Absence {
  return { absenceId: toText(absenceId), subject, subjectNames, substitute, from: 0, until: Date.parse(toText(until)) };
}

/** Returns the signature, which was verified when the vote was cast. */
function buildRecordedSignature({ keyId, jws }: JsonObject, statement: VerifiableVoteFields): VoteSignature {
  return { kind: 'holds', statement: { ...statement, server: '', keyId: toText(keyId), at: '' }, jws: toText(jws) };
}

function readShownField({ data, private: privatePart }: RecordedEvent): { shown?: readonly ShownEvidence[] } {
  const shown = readShownEvidence({ data, private: privatePart as JsonObject | null });
  return shown === undefined ? {} : { shown: shown.map((each) => ({ ...each, name: each.name ?? '' })) };
}

function requirePendingApproval(first: RecordedEvent, state: RunState, approvalId: string): PendingApproval {
  for (const wait of findInstance(first, state)?.waits ?? [])
    if (wait.kind === 'approval' && wait.approval.approvalId === approvalId) return wait.approval;
  throw createReplayMismatch(first, 'no such approval was pending');
}

/**
 * Returns a user whose vote would be accepted: a candidate who has not contributed to the run and has not voted yet.
 */
function pickEligibleVoter({ candidateUsers, candidateGroups, votes }: PendingApproval, state: RunState): Actor {
  const uploaders = Object.values(state.artifacts).flatMap(({ by, earlier = [] }) => [by, ...earlier]);
  const ineligibleIds = new Set([
    state.startedBy,
    ...state.editors,
    ...state.deciders,
    ...uploaders,
    ...votes.map(({ by }) => by),
  ]);
  const eligibleId = candidateUsers.find((id) => !ineligibleIds.has(id));
  return { type: 'user', id: eligibleId ?? 'replay', name: null, groups: candidateGroups };
}

function buildArtifactCommand(first: RecordedEvent): Command {
  const { artifactId, size, sha256 } = first.data;
  const { name, contentType } = requirePrivatePart(first);
  return {
    type: 'artifact.record',
    actor: readActor(first),
    artifactId: toText(artifactId),
    name: toText(name),
    size: Number(size),
    sha256: toText(sha256),
    contentType: toText(contentType),
  };
}

function buildRecoverCommand(first: RecordedEvent): Command {
  const { steps, variableNames } = first.data;
  const hasEdits = toStringList(variableNames).length > 0;
  const { variables } = hasEdits ? requirePrivatePart(first) : {};
  return {
    type: 'recover',
    actor: readActor(first),
    steps: toStringList(steps),
    variables: hasEdits ? toObject(variables) : null,
    comment: null,
  };
}

function requireSignalWait(first: RecordedEvent, state: RunState): SignalWait {
  const { elementId, data } = first;
  const found = findInstance(first, state)?.waits?.find(
    (wait): wait is SignalWait =>
      wait.kind === 'signal' && wait.elementId === elementId && wait.signalName === data['signalName'],
  );
  if (found === undefined) throw createReplayMismatch(first, 'the run was not waiting for this signal at this step');
  return found;
}

function requireResult(failed: RecordedEvent): JsonObject {
  const { result } = requirePrivatePart(failed);
  if (isJsonObject(result)) return result;
  throw new ReplayGap(
    'not_recorded',
    failed.seq,
    `The history does not contain the result of the step when it failed (run event ${failed.seq}).`,
  );
}

/** Returns the instance that an event is about. */
export function findInstance({ stepId }: Pick<RecordedEvent, 'stepId'>, state: RunState): ElementInstance | undefined {
  if (stepId === null) return undefined;
  for (const instance of Object.values(state.instances)) if (instance.stepId === stepId) return instance;
  return undefined;
}

/** Returns the recorded contributors from other runs. */
function readContributors({ private: privateData }: RecordedEvent): { contributors?: readonly string[] } {
  const contributors = toStringList(privateData?.['contributors']);
  return contributors.length === 0 ? {} : { contributors };
}

/**
 * Returns the actor of an event. After an erasure, this is an unknown user.
 *
 * @param extraUserNames user names in addition to the one recorded for each actor
 */
function readActor({ private: privateData }: RecordedEvent, extraUserNames: readonly string[] = []): Actor {
  const actor = privateData?.actor;
  if (!isJsonObject(actor)) return { type: 'user', id: '', name: null };
  const { type, id, name, userName, onBehalfOf } = actor;
  const userNames = [...(typeof userName === 'string' ? [userName] : []), ...extraUserNames];
  return {
    type: type === 'service' || type === 'system' ? type : 'user',
    id: toText(id),
    name: typeof name === 'string' ? name : null,
    ...(userNames.length === 0 ? {} : { userNames }),
    ...(typeof onBehalfOf === 'string' ? { onBehalfOf } : {}),
  };
}

export function createReplayMismatch(event: RecordedEvent, reason: string): ReplayGap {
  const { seq, type } = event;
  if (isNewerRunEvent(event))
    return new ReplayGap('differs', seq, `A newer version of Countersign wrote run event ${seq} (${type}).`);
  return new ReplayGap(
    'differs',
    seq,
    `Run event ${seq} (${type}) does not follow from the events before it: ${reason}.`,
  );
}

/** Returns the message of an event, which is free text and removed by an erasure. */
function readMessage({ private: privateData }: RecordedEvent): string {
  return toText(privateData?.['message']);
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function toStringList(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
