import {
  type Absence,
  type Actor,
  type ChildReport,
  type Command,
  type ElementInstance,
  isJsonObject,
  type JobWait,
  type Json,
  type JsonObject,
  type ParentRun,
  type PendingApproval,
  type RunState,
  type ShownEvidence,
  type SignalWait,
  type StartingEvent,
  type VotedStatement,
  votedStatement,
  type VoteSignature,
  type Wait,
  type WorkflowGraph,
} from '@countersign/model';
import { shownIn } from '@countersign/model/evidence';
import { ReplayGap, privatePart, type RecordedEvent } from './recorded-event.js';

/** Facts of a run that never change and are in its state, not in its history. */
export interface RunFacts {
  readonly runId: string;
  readonly parent: ParentRun | null;
}

/** The events of one command and those after it, starting with the command's first event. */
export type UpcomingEvents = readonly [RecordedEvent, ...RecordedEvent[]];

const WORKER: Actor = Object.freeze({ type: 'service', id: 'replay', name: null });

/**
 * Returns the command that produced the events, as far as the first event determines it.
 *
 * @throws {ReplayGap}
 */
export function recordedCommand(
  ahead: UpcomingEvents,
  graph: WorkflowGraph,
  state: RunState | null,
  facts: RunFacts,
): Command {
  const [first] = ahead;
  if (state === null) return startOf(first, facts);
  switch (first.type) {
    case 'message.received':
      return {
        type: 'message.correlate',
        actor: WORKER,
        subscriptionId: textOf(first.data['subscriptionId']),
        payload: objectOf(privatePart(first)['payload']),
        ...contributorsOf(first),
      };
    case 'signal.received':
      return {
        type: 'signal.receive',
        actor: WORKER,
        subscriptionId: signalWaitOf(first, state).subscriptionId,
        payload: objectOf(privatePart(first)['payload']),
        ...contributorsOf(first),
      };
    case 'timer.fired':
      return { type: 'timer.fire', actor: WORKER, timerId: textOf(first.data['timerId']) };
    case 'child.ended':
    case 'escalation.thrown':
      return { type: 'child.report', actor: WORKER, ...childReportOf(ahead, graph, state) };
    case 'contributors.added':
      return { type: 'contributors.add', actor: WORKER, contributors: textsOf(privatePart(first)['contributors']) };
    case 'approval.voted':
    case 'approval.delegated':
    case 'approval.reassigned':
    case 'approval.withdrawn':
      return approvalCommand(first, state);
    case 'artifact.created':
      return artifactCommand(first);
    case 'personal_data.erased':
      throw new ReplayGap(
        'erased',
        first.seq,
        `Personal data was erased here (run event ${first.seq}), also from the variables of the run. Their earlier values are no longer known.`,
      );
    case 'run.cancel_requested':
      return { type: 'cancel', actor: actorOf(first), reason: null };
    case 'run.recovered':
      return recoverCommand(first);
    case 'run.migrated': {
      const { toVersion, toDigest, mapping } = first.data;
      return {
        type: 'migrate',
        actor: actorOf(first),
        workflowVersion: Number(toVersion),
        workflowDigest: textOf(toDigest),
        mapping: objectOf(mapping) as Record<string, string>,
        comment: null,
      };
    }
    default:
      return jobCommand(first, state);
  }
}

function startOf(first: RecordedEvent, { runId, parent }: RunFacts): Command {
  if (first.type !== 'run.started') throw replayMismatch(first, 'no run starts with it');
  const { actor: _actor, inputs, businessKey, startEvent } = privatePart(first);
  return {
    type: 'start',
    actor: actorOf(first),
    runId,
    workflowVersion: Number(first.data['workflowVersion']),
    workflowDigest: textOf(first.data['workflowDigest']),
    businessKey: typeof businessKey === 'string' ? businessKey : null,
    inputs: objectOf(inputs),
    ...contributorsOf(first),
    ...(parent === null ? {} : { parent }),
    ...(isJsonObject(startEvent) ? { startEvent: startEvent as unknown as StartingEvent } : {}),
  };
}

/** Returns the command of a worker. The first event of a completed job contains its output. */
function jobCommand(first: RecordedEvent, state: RunState): Command {
  const instance = instanceOf(first, state);
  const job = instance?.waits?.find((wait): wait is JobWait => wait.kind === 'job');
  if (instance === undefined || job === undefined)
    throw replayMismatch(first, 'nothing that the run waited for can have caused it');
  const { jobId } = job;
  switch (first.type) {
    case 'step.completed':
      return {
        type: 'job.complete',
        actor: WORKER,
        jobId,
        output: objectOf(privatePart(first)['output']),
        agentName: null,
      };
    case 'step.attempt_failed': {
      const { code, nextAttemptAt } = first.data;
      const retryAfterMs = Math.max(0, Date.parse(textOf(nextAttemptAt)) - first.at);
      return {
        type: 'job.fail',
        actor: WORKER,
        jobId,
        code: textOf(code),
        message: messageOf(first),
        retryable: true,
        retryAfterMs,
      };
    }
    case 'step.failed':
      if (first.data['phase'] === 'leave')
        return { type: 'job.complete', actor: WORKER, jobId, output: resultOf(first), agentName: null };
      return {
        type: 'job.fail',
        actor: WORKER,
        jobId,
        code: textOf(first.data['code']),
        message: messageOf(first),
        retryable: first.data['retryable'] === true && job.retries <= 1,
      };
    case 'error.thrown': {
      const { message, variables } = privatePart(first);
      return {
        type: 'job.error',
        actor: WORKER,
        jobId,
        errorCode: textOf(first.data['code']),
        message: textOf(message),
        variables: objectOf(variables),
      };
    }
    default:
      throw replayMismatch(first, 'no command starts with it');
  }
}

function childReportOf(
  [first, ...behind]: UpcomingEvents,
  graph: WorkflowGraph,
  state: RunState,
): { childRunId: string; report: ChildReport } {
  const instance = instanceOf(first, state);
  const wait = instance?.waits?.find((each): each is Extract<Wait, { kind: 'child' }> => each.kind === 'child');
  if (instance === undefined || wait === undefined)
    throw replayMismatch(first, 'the run did not wait for a child run there');
  const { childRunId } = wait;
  const people = contributorsOf(first);
  const { variables, code, message } = privatePart(first);
  if (first.type === 'escalation.thrown')
    return {
      childRunId,
      report: { kind: 'escalation', code: textOf(first.data['code']), variables: objectOf(variables), ...people },
    };
  switch (first.data['how']) {
    case 'error':
      return {
        childRunId,
        report: {
          kind: 'error',
          code: textOf(code),
          message: textOf(message),
          variables: objectOf(variables),
          ...people,
        },
      };
    case 'failed':
      return { childRunId, report: { kind: 'failed', code: textOf(code), message: textOf(message), ...people } };
    default: {
      const node = graph.nodes.get(instance.elementId);
      const isRecorded = node?.kind !== 'callActivity' || !node.propagateAllChildVariables;
      const left = behind.find(
        ({ type, stepId }) => stepId === first.stepId && (type === 'step.completed' || type === 'step.failed'),
      );
      if (isRecorded || left === undefined)
        return { childRunId, report: { kind: 'completed', variables: objectOf(variables), ...people } };
      return {
        childRunId,
        report: {
          kind: 'completed',
          variables: left.type === 'step.completed' ? objectOf(privatePart(left)['output']) : resultOf(left),
          ...people,
        },
      };
    }
  }
}

function approvalCommand(first: RecordedEvent, state: RunState): Command {
  const approvalId = textOf(first.data['approvalId']);
  const approval = pendingApproval(first, state, approvalId);
  if (first.type === 'approval.withdrawn') {
    // A vote on a stale subject caused the withdrawal; its only other effect was the new round.
    return {
      type: 'approval.vote',
      actor: anyEligibleVoter(approval, state),
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
  } = privatePart(first);
  // Groups are not recorded, but every voter had a candidate group, unless they took another user's place.
  const asked = textsOf(askedAs ?? []);
  const userNames = inPlaceOf === undefined ? asked : delegatedTo === undefined ? [] : [textOf(delegatedTo)];
  const actor: Actor = {
    ...actorOf(first, userNames),
    ...(inPlaceOf === undefined ? { groups: approval.candidateGroups } : {}),
  };
  switch (first.type) {
    case 'approval.delegated':
      return {
        type: 'approval.delegate',
        actor,
        approvalId,
        to: textOf(to),
        until: typeof until === 'string' ? Date.parse(until) : null,
      };
    case 'approval.reassigned':
      return {
        type: 'approval.reassign',
        actor,
        approvalId,
        candidateUsers: textsOf(candidateUsers),
        candidateGroups: textsOf(candidateGroups),
        comment: comment === null ? null : textOf(comment),
      };
    default: {
      const decision = first.data['decision'] as 'approve' | 'reject' | 'request_changes';
      const said = { decision, comment: comment === null ? null : textOf(comment) };
      const signed = isJsonObject(signature)
        ? { signature: recordedSignature(signature, votedStatement(state.runId, approval, said)) }
        : {};
      return {
        type: 'approval.vote',
        actor,
        approvalId,
        ...said,
        expectedDigest: null,
        expectedRound: null,
        ...signed,
        ...recordedShown(first),
        notCounted: textsOf(first.data['notCounted'] ?? []),
        ...(inPlaceOf === undefined ? {} : { inPlaceOf: textOf(inPlaceOf) }),
        ...(isJsonObject(absence) ? { absences: [recordedAbsence(textOf(inPlaceOf), asked, actor.id, absence)] } : {}),
      };
    }
  }
}

/** Returns the absence, which was active when the vote was cast. */
function recordedAbsence(
  subject: string,
  subjectNames: readonly string[],
  substitute: string,
  { absenceId, until }: JsonObject,
): Absence {
  return { absenceId: textOf(absenceId), subject, subjectNames, substitute, from: 0, until: Date.parse(textOf(until)) };
}

/** Returns the signature, which was verified when the vote was cast. */
function recordedSignature({ keyId, jws }: JsonObject, voted: VotedStatement): VoteSignature {
  return { kind: 'holds', statement: { ...voted, server: '', keyId: textOf(keyId), at: '' }, jws: textOf(jws) };
}

function recordedShown({ data, private: privatePart }: RecordedEvent): { shown?: readonly ShownEvidence[] } {
  const shown = shownIn({ data, private: privatePart as JsonObject | null });
  return shown === undefined ? {} : { shown: shown.map((each) => ({ ...each, name: each.name ?? '' })) };
}

function pendingApproval(first: RecordedEvent, state: RunState, approvalId: string): PendingApproval {
  for (const wait of instanceOf(first, state)?.waits ?? [])
    if (wait.kind === 'approval' && wait.approval.approvalId === approvalId) return wait.approval;
  throw replayMismatch(first, 'no such approval was pending');
}

/**
 * Returns a user whose vote would be accepted: a candidate who has not contributed to the run and has not voted yet.
 */
function anyEligibleVoter({ candidateUsers, candidateGroups, votes }: PendingApproval, state: RunState): Actor {
  const uploaders = Object.values(state.artifacts).flatMap(({ by, earlier = [] }) => [by, ...earlier]);
  const taken = new Set([
    state.startedBy,
    ...state.editors,
    ...state.deciders,
    ...uploaders,
    ...votes.map(({ by }) => by),
  ]);
  const free = candidateUsers.find((id) => !taken.has(id));
  return { type: 'user', id: free ?? 'replay', name: null, groups: candidateGroups };
}

function artifactCommand(first: RecordedEvent): Command {
  const { artifactId, size, sha256 } = first.data;
  const { name, contentType } = privatePart(first);
  return {
    type: 'artifact.record',
    actor: actorOf(first),
    artifactId: textOf(artifactId),
    name: textOf(name),
    size: Number(size),
    sha256: textOf(sha256),
    contentType: textOf(contentType),
  };
}

function recoverCommand(first: RecordedEvent): Command {
  const { steps, variableNames } = first.data;
  const edits = textsOf(variableNames).length > 0;
  const { variables } = edits ? privatePart(first) : {};
  return {
    type: 'recover',
    actor: actorOf(first),
    steps: textsOf(steps),
    variables: edits ? objectOf(variables) : null,
    comment: null,
  };
}

function signalWaitOf(first: RecordedEvent, state: RunState): SignalWait {
  const { elementId, data } = first;
  const found = instanceOf(first, state)?.waits?.find(
    (wait): wait is SignalWait =>
      wait.kind === 'signal' && wait.elementId === elementId && wait.signalName === data['signalName'],
  );
  if (found === undefined) throw replayMismatch(first, 'the run did not wait for this signal there');
  return found;
}

function resultOf(failed: RecordedEvent): JsonObject {
  const { result } = privatePart(failed);
  if (isJsonObject(result)) return result;
  throw new ReplayGap(
    'not_recorded',
    failed.seq,
    `The history does not contain the state of the step when it failed (run event ${failed.seq}).`,
  );
}

/** Returns the instance that an event is about. */
export function instanceOf({ stepId }: Pick<RecordedEvent, 'stepId'>, state: RunState): ElementInstance | undefined {
  if (stepId === null) return undefined;
  for (const instance of Object.values(state.instances)) if (instance.stepId === stepId) return instance;
  return undefined;
}

/** Returns the recorded contributors in other runs. */
function contributorsOf({ private: privateData }: RecordedEvent): { contributors?: readonly string[] } {
  const contributors = textsOf(privateData?.['contributors']);
  return contributors.length === 0 ? {} : { contributors };
}

/**
 * Returns the actor of an event. After an erasure, this is an unknown user.
 *
 * @param more user names in addition to the one recorded for each actor
 */
function actorOf({ private: privateData }: RecordedEvent, more: readonly string[] = []): Actor {
  const actor = privateData?.actor;
  if (!isJsonObject(actor)) return { type: 'user', id: '', name: null };
  const { type, id, name, userName, onBehalfOf } = actor;
  const userNames = [...(typeof userName === 'string' ? [userName] : []), ...more];
  return {
    type: type === 'service' || type === 'system' ? type : 'user',
    id: textOf(id),
    name: typeof name === 'string' ? name : null,
    ...(userNames.length === 0 ? {} : { userNames }),
    ...(typeof onBehalfOf === 'string' ? { onBehalfOf } : {}),
  };
}

export function replayMismatch({ seq, type }: RecordedEvent, why: string): ReplayGap {
  return new ReplayGap('differs', seq, `Run event ${seq} (${type}) does not follow from the events before it: ${why}.`);
}

/** Returns the message of an event, which is free text and removed by an erasure. */
function messageOf({ private: privateData }: RecordedEvent): string {
  return textOf(privateData?.['message']);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
