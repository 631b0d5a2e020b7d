import fc from 'fast-check';
import type { Actor, ChildReport, Command, ElementInstance, JsonObject, RunState, Wait } from '@countersign/model';
import { chooseAgentCommand, chooseEdit } from './random-agent.spec.support.js';

/** One step of a random sequence of commands. The command depends on the waits of the run at that time. */
export interface StepSketch {
  readonly kind: 'answer' | 'stray' | 'artifact' | 'recover' | 'assign' | 'cancel' | 'migrate';
  /** Selects the wait. */
  readonly pick: number;
  /** Selects the response to the wait. */
  readonly variant: number;
  /** Whether the command halts: its tokens stop with incidents, as if the next state could not be stored. */
  readonly halts: boolean;
}

export const arbitrarySteps: fc.Arbitrary<StepSketch[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { withCrossShrink: true },
      { arbitrary: fc.constant('answer' as const), weight: 30 },
      { arbitrary: fc.constant('stray' as const), weight: 3 },
      { arbitrary: fc.constant('recover' as const), weight: 3 },
      { arbitrary: fc.constant('artifact' as const), weight: 1 },
      { arbitrary: fc.constant('assign' as const), weight: 1 },
      { arbitrary: fc.constant('cancel' as const), weight: 1 },
      { arbitrary: fc.constant('migrate' as const), weight: 4 },
    ),
    pick: fc.nat(11),
    variant: fc.nat(23),
    halts: fc.oneof({ arbitrary: fc.constant(false), weight: 14 }, { arbitrary: fc.constant(true), weight: 1 }),
  }),
  { maxLength: 18 },
);

/** A command, its time, and whether the run must accept it. */
export interface ChosenCommand {
  readonly command: Command;
  readonly now: number;
  readonly mustBeAccepted: boolean;
}

const PEOPLE: readonly Actor[] = ['ada', 'bob', 'cyd', 'starter'].map((id) => ({
  type: 'user',
  id,
  name: id,
  groups: id === 'cyd' ? [] : ['judges'],
}));
const WORKER: Actor = { type: 'service', id: 'worker', name: null };
/** An operator who never votes, so that the rule against approvers who edit variables does not apply. */
const OPERATOR: Actor = { type: 'user', id: 'operator', name: 'operator', groups: [] };
const SYSTEM: Actor = { type: 'system', id: 'countersign', name: null };

const pickPerson = (which: number): Actor => PEOPLE[which % PEOPLE.length] ?? WORKER;

/**
 * Returns the variables that a command sets: mostly variables that conditions of the BPMN model read, sometimes with
 * values that make the conditions fail.
 */
export function chooseVariables(variant: number): JsonObject {
  const all: JsonObject[] = [
    {},
    { n0: variant % 5 },
    { n1: variant % 3, n2: 3 },
    { flag: variant % 2 === 0 },
    { n0: null },
    { list: [variant % 3, 2] },
    { list: 'none' },
    { local: 7, n3: 1 },
  ];
  return all[variant % all.length] ?? {};
}

/** Chooses the next command of the run. */
export function chooseCommand(
  state: RunState,
  {
    kind,
    pick,
    variant,
  }: Omit<StepSketch, 'kind' | 'halts'> & { readonly kind: Exclude<StepSketch['kind'], 'migrate'> },
  now: number,
): ChosenCommand {
  const toChosenCommand = (command: Command, mustBeAccepted: boolean, at = now): ChosenCommand => ({
    command,
    now: at,
    mustBeAccepted,
  });
  switch (kind) {
    case 'cancel':
      return toChosenCommand(
        { type: 'cancel', actor: pick % 3 === 0 ? SYSTEM : pickPerson(variant), reason: null },
        state.outcome === null && state.cancelling !== true,
      );
    case 'artifact':
      return toChosenCommand(
        {
          type: 'artifact.record',
          actor: pickPerson(variant),
          artifactId: `artifact-${state.seq}`,
          name: pick % 2 === 0 ? 'report' : 'other',
          size: 1,
          sha256: String(variant),
          contentType: 'text/plain',
        },
        true,
      );
    case 'recover':
      return toChosenCommand(buildRecoverCommand(state, pick, variant), false);
    case 'stray':
      return toChosenCommand(buildStrayCommand(state, pick, variant), false);
    case 'assign':
      return toChosenCommand(buildAssignCommand(state, pick, variant), false);
    case 'answer':
      return (
        chooseRandomWaitCommand(state, pick, variant, now) ??
        toChosenCommand(
          { ...buildRecoverCommand(state, 0, variant), actor: OPERATOR },
          findFailedSteps(state).length > 0,
        )
      );
  }
}

/** Returns a command for one of the waits; `undefined` to recover a failed step instead. */
function chooseRandomWaitCommand(
  state: RunState,
  pick: number,
  variant: number,
  now: number,
): ChosenCommand | undefined {
  const waits = Object.values(state.instances).flatMap((instance) =>
    (instance.waits ?? []).map((wait) => ({ instance, wait })),
  );
  const openWaits = waits.filter(({ wait }) => wait.kind !== 'condition');
  const candidates = [...openWaits, ...(findFailedSteps(state).length > 0 ? [undefined] : [])];
  const choice = candidates[pick % Math.max(candidates.length, 1)];
  return choice === undefined ? undefined : chooseWaitCommand(choice.wait, variant, now, choice.instance);
}

/**
 * Returns a command for a wait; `undefined` for a condition, which no command resolves. The run must accept every
 * command except a vote, regardless of its other waits.
 */
export function chooseWaitCommand(
  wait: Wait,
  variant: number,
  now: number,
  instance?: ElementInstance,
): ChosenCommand | undefined {
  const toAcceptedCommand = (command: Command, at = now): ChosenCommand => ({ command, now: at, mustBeAccepted: true });
  switch (wait.kind) {
    case 'job':
      return toAcceptedCommand(
        (wait.jobType === 'agent' || wait.callId !== undefined ? chooseAgentCommand(wait, variant) : undefined) ??
          buildJobResult(wait.jobId, variant),
      );
    case 'question': {
      const { questionId, options } = wait.question;
      return toAcceptedCommand({
        type: 'question.answer',
        actor: pickPerson(variant),
        questionId,
        answer: options?.[variant % options.length] ?? 'an answer',
      });
    }
    case 'message':
      return toAcceptedCommand({
        type: 'message.correlate',
        actor: WORKER,
        subscriptionId: wait.subscriptionId,
        payload: chooseVariables(variant),
      });
    case 'signal':
      return toAcceptedCommand({
        type: 'signal.receive',
        actor: WORKER,
        subscriptionId: wait.subscriptionId,
        payload: chooseVariables(variant),
      });
    case 'timer':
      return toAcceptedCommand({ type: 'timer.fire', actor: SYSTEM, timerId: wait.timerId }, Math.max(now, wait.dueAt));
    case 'child':
      return toAcceptedCommand({
        type: 'child.report',
        actor: SYSTEM,
        childRunId: wait.childRunId,
        report: {
          ...buildChildReport(variant),
          ...(variant % 3 === 0 ? { contributors: [pickPerson(variant).id] } : {}),
        },
      });
    case 'approval': {
      const decision = variant % 7 === 0 ? 'reject' : variant % 5 === 0 ? 'request_changes' : 'approve';
      const edited =
        instance === undefined || decision !== 'approve' ? undefined : chooseEdit(instance, wait.callId, variant);
      const vote = {
        type: 'approval.vote',
        actor: pickPerson(variant),
        approvalId: wait.approval.approvalId,
        decision,
        comment: 'why',
        expectedDigest: null,
        expectedRound: null,
        ...(edited === undefined ? {} : { edited }),
      } as const;
      // Other specs check whether this user may vote.
      return { command: vote, now, mustBeAccepted: false };
    }
    case 'condition':
      return undefined;
  }
}

function buildJobResult(jobId: string, variant: number): Command {
  if (variant % 8 === 5)
    return {
      type: 'job.fail',
      actor: WORKER,
      jobId,
      code: 'broken',
      message: 'The job failed.',
      retryable: variant % 2 === 0,
    };
  if (variant % 8 === 6)
    return {
      type: 'job.error',
      actor: WORKER,
      jobId,
      errorCode: `X${variant % 4}`,
      message: 'The job threw an error.',
      variables: chooseVariables(variant),
    };
  return {
    type: 'job.complete',
    actor: WORKER,
    jobId,
    output: variant === 23 ? { approval: 1 } : chooseVariables(variant),
    agentName: null,
  };
}

function buildChildReport(variant: number): ChildReport {
  switch (variant % 8) {
    case 4:
      return { kind: 'error', code: `X${variant % 3}`, message: 'The child run threw an error.', variables: {} };
    case 5:
      return { kind: 'escalation', code: `C${variant % 3}`, variables: {} };
    case 6:
      return { kind: 'failed', code: 'child_cancelled', message: 'The child run was cancelled.' };
    case 7:
      return variant === 23
        ? { kind: 'failed', code: 'child_rejected', message: 'The child run was rejected.' }
        : { kind: 'completed', variables: { approval: 1 } };
    default:
      return { kind: 'completed', variables: chooseVariables(variant) };
  }
}

function buildRecoverCommand(state: RunState, pick: number, variant: number): Command {
  const failed = findFailedSteps(state);
  const failedStep = failed[pick % Math.max(failed.length, 1)];
  const steps =
    pick % 3 === 0 || failedStep === undefined
      ? null
      : pick % 5 === 4
        ? [failedStep.stepId, 'none']
        : [failedStep.stepId];
  // Most recoveries fix the variables that conditions read, so that a run continues.
  const variables =
    variant % 4 === 3
      ? null
      : variant % 4 === 2
        ? chooseVariables(variant)
        : { n0: 1, n1: 1, n2: 1, n3: 1, flag: true, list: [1, 2], key: 'k', called: 'child' };
  return { type: 'recover', actor: pickPerson(variant), steps, variables, comment: null };
}

function findFailedSteps(state: RunState): ElementInstance[] {
  return Object.values(state.instances).filter((instance) => instance.incident !== undefined);
}

/** Returns a command that the run does not expect, with an unknown id or the step id of the process. */
function buildStrayCommand(state: RunState, pick: number, variant: number): Command {
  const root = state.instances[state.root];
  const id = variant % 2 === 0 ? 'unknown' : (root?.stepId ?? '');
  const all: Command[] = [
    buildJobResult(id, variant),
    { type: 'agent.call', actor: WORKER, jobId: id, result: { content: null, isError: false, taint: [] } },
    { type: 'question.answer', actor: pickPerson(variant), questionId: id, answer: 'late' },
    { type: 'message.correlate', actor: WORKER, subscriptionId: id, payload: {} },
    { type: 'signal.receive', actor: WORKER, subscriptionId: id, payload: {} },
    { type: 'timer.fire', actor: SYSTEM, timerId: id },
    { type: 'child.report', actor: SYSTEM, childRunId: id, report: buildChildReport(variant) },
    {
      type: 'approval.vote',
      actor: pickPerson(variant),
      approvalId: id,
      decision: 'approve',
      comment: null,
      expectedDigest: null,
      expectedRound: null,
    },
    { type: 'contributors.add', actor: SYSTEM, contributors: [pickPerson(variant).id] },
    { type: 'recover', actor: pickPerson(variant), steps: [id], variables: null, comment: null },
    {
      type: 'approval.reassign',
      actor: pickPerson(variant),
      approvalId: id,
      candidateUsers: [],
      candidateGroups: [],
      comment: null,
    },
  ];
  return all[pick % all.length] ?? { type: 'timer.fire', actor: SYSTEM, timerId: id };
}

function buildAssignCommand(state: RunState, pick: number, variant: number): Command {
  const pendingApprovalIds = Object.values(state.instances).flatMap(({ waits }) =>
    (waits ?? []).flatMap((wait) => (wait.kind === 'approval' ? [wait.approval.approvalId] : [])),
  );
  const approvalId = pendingApprovalIds[pick % Math.max(pendingApprovalIds.length, 1)] ?? 'unknown';
  if (variant % 5 === 4)
    return {
      type: 'approval.comment',
      actor: pickPerson(variant),
      commentId: 'comment',
      approvalId,
      stepId: state.runId,
      elementId: 'any',
      round: 1,
      digest: 'sha256:0',
      text: 'Why this one?',
    };
  return variant % 2 === 0
    ? { type: 'approval.delegate', actor: pickPerson(variant), approvalId, to: 'dan', until: null }
    : {
        type: 'approval.reassign',
        actor: pickPerson(variant),
        approvalId,
        candidateUsers: ['ada', 'bob', 'cyd'],
        candidateGroups: [],
        comment: null,
      };
}
