import fc from 'fast-check';
import type { Actor, ChildReport, Command, ElementInstance, JsonObject, RunState, Wait } from '@countersign/model';
import { agentWork, editOf } from './random-agent.spec.support.js';

/** One step of a random sequence of commands. The command depends on what the run waits for at that time. */
export interface StepSketch {
  readonly kind: 'answer' | 'stray' | 'artifact' | 'recover' | 'assign' | 'cancel' | 'migrate';
  /** Selects the wait. */
  readonly pick: number;
  /** Selects the response to the wait. */
  readonly how: number;
  /** Whether the command halts. */
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
    how: fc.nat(23),
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
/** Never votes, so the rule against approvers who edit variables does not bar this operator. */
const OPERATOR: Actor = { type: 'user', id: 'operator', name: 'operator', groups: [] };
const SYSTEM: Actor = { type: 'system', id: 'countersign', name: null };

const person = (which: number): Actor => PEOPLE[which % PEOPLE.length] ?? WORKER;

/** Variables that a command sets: mostly those that model conditions read, sometimes values that make them fail. */
export function randomVariables(how: number): JsonObject {
  const all: JsonObject[] = [
    {},
    { n0: how % 5 },
    { n1: how % 3, n2: 3 },
    { flag: how % 2 === 0 },
    { n0: null },
    { list: [how % 3, 2] },
    { list: 'none' },
    { local: 7, n3: 1 },
  ];
  return all[how % all.length] ?? {};
}

/** Chooses the next command of the run. */
export function chooseCommand(
  state: RunState,
  { kind, pick, how }: Omit<StepSketch, 'kind' | 'halts'> & { readonly kind: Exclude<StepSketch['kind'], 'migrate'> },
  now: number,
): ChosenCommand {
  const chosen = (command: Command, mustBeAccepted: boolean, at = now): ChosenCommand => ({
    command,
    now: at,
    mustBeAccepted,
  });
  switch (kind) {
    case 'cancel':
      return chosen(
        { type: 'cancel', actor: pick % 3 === 0 ? SYSTEM : person(how), reason: null },
        state.outcome === null && state.cancelling !== true,
      );
    case 'artifact':
      return chosen(
        {
          type: 'artifact.record',
          actor: person(how),
          artifactId: `artifact-${state.seq}`,
          name: pick % 2 === 0 ? 'report' : 'other',
          size: 1,
          sha256: String(how),
          contentType: 'text/plain',
        },
        true,
      );
    case 'recover':
      return chosen(recovery(state, pick, how), false);
    case 'stray':
      return chosen(strayCommand(state, pick, how), false);
    case 'assign':
      return chosen(assignment(state, pick, how), false);
    case 'answer':
      return (
        answer(state, pick, how, now) ??
        chosen({ ...recovery(state, 0, how), actor: OPERATOR }, incidentsOf(state).length > 0)
      );
  }
}

/** Returns a command for one of the waits; `undefined` to recover a failed step instead. */
function answer(state: RunState, pick: number, how: number, now: number): ChosenCommand | undefined {
  const waits = Object.values(state.instances).flatMap((instance) =>
    (instance.waits ?? []).map((wait) => ({ instance, wait })),
  );
  const openWaits = waits.filter(({ wait }) => wait.kind !== 'condition');
  const choices = [...openWaits, ...(incidentsOf(state).length > 0 ? [undefined] : [])];
  const choice = choices[pick % Math.max(choices.length, 1)];
  return choice === undefined ? undefined : answerTo(choice.wait, how, now, choice.instance);
}

/** Returns a command for a wait. The run accepts it regardless of its other waits. */
export function answerTo(wait: Wait, how: number, now: number, instance?: ElementInstance): ChosenCommand | undefined {
  const accepted = (command: Command, at = now): ChosenCommand => ({ command, now: at, mustBeAccepted: true });
  switch (wait.kind) {
    case 'job':
      return accepted(
        (wait.jobType === 'agent' || wait.callId !== undefined ? agentWork(wait, how) : undefined) ??
          jobResult(wait.jobId, how),
      );
    case 'question': {
      const { questionId, options } = wait.question;
      return accepted({
        type: 'question.answer',
        actor: person(how),
        questionId,
        answer: options?.[how % options.length] ?? 'an answer',
      });
    }
    case 'message':
      return accepted({
        type: 'message.correlate',
        actor: WORKER,
        subscriptionId: wait.subscriptionId,
        payload: randomVariables(how),
      });
    case 'signal':
      return accepted({
        type: 'signal.receive',
        actor: WORKER,
        subscriptionId: wait.subscriptionId,
        payload: randomVariables(how),
      });
    case 'timer':
      return accepted({ type: 'timer.fire', actor: SYSTEM, timerId: wait.timerId }, Math.max(now, wait.dueAt));
    case 'child':
      return accepted({
        type: 'child.report',
        actor: SYSTEM,
        childRunId: wait.childRunId,
        report: { ...childReport(how), ...(how % 3 === 0 ? { contributors: [person(how).id] } : {}) },
      });
    case 'approval': {
      const decision = how % 7 === 0 ? 'reject' : how % 5 === 0 ? 'request_changes' : 'approve';
      const edited = instance === undefined || decision !== 'approve' ? undefined : editOf(instance, wait.callId, how);
      const vote = {
        type: 'approval.vote',
        actor: person(how),
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

function jobResult(jobId: string, how: number): Command {
  if (how % 8 === 5)
    return { type: 'job.fail', actor: WORKER, jobId, code: 'broken', message: 'It broke.', retryable: how % 2 === 0 };
  if (how % 8 === 6)
    return {
      type: 'job.error',
      actor: WORKER,
      jobId,
      errorCode: `X${how % 4}`,
      message: 'It threw.',
      variables: randomVariables(how),
    };
  return {
    type: 'job.complete',
    actor: WORKER,
    jobId,
    output: how === 23 ? { approval: 1 } : randomVariables(how),
    agentName: null,
  };
}

function childReport(how: number): ChildReport {
  switch (how % 8) {
    case 4:
      return { kind: 'error', code: `X${how % 3}`, message: 'It threw.', variables: {} };
    case 5:
      return { kind: 'escalation', code: `C${how % 3}`, variables: {} };
    case 6:
      return { kind: 'failed', code: 'child_cancelled', message: 'It was cancelled.' };
    case 7:
      return how === 23
        ? { kind: 'failed', code: 'child_rejected', message: 'It was rejected.' }
        : { kind: 'completed', variables: { approval: 1 } };
    default:
      return { kind: 'completed', variables: randomVariables(how) };
  }
}

function recovery(state: RunState, pick: number, how: number): Command {
  const failed = incidentsOf(state);
  const one = failed[pick % Math.max(failed.length, 1)];
  const steps = pick % 3 === 0 || one === undefined ? null : pick % 5 === 4 ? [one.stepId, 'none'] : [one.stepId];
  // Most recoveries fix the variables that conditions read, so that a run continues.
  const variables =
    how % 4 === 3
      ? null
      : how % 4 === 2
        ? randomVariables(how)
        : { n0: 1, n1: 1, n2: 1, n3: 1, flag: true, list: [1, 2], key: 'k', called: 'child' };
  return { type: 'recover', actor: person(how), steps, variables, comment: null };
}

function incidentsOf(state: RunState): ElementInstance[] {
  return Object.values(state.instances).filter((instance) => instance.incident !== undefined);
}

/** Returns a command that is late, repeated or for an unknown id. */
function strayCommand(state: RunState, pick: number, how: number): Command {
  const root = state.instances[state.root];
  const id = how % 2 === 0 ? 'unknown' : (root?.stepId ?? '');
  const all: Command[] = [
    jobResult(id, how),
    { type: 'agent.call', actor: WORKER, jobId: id, result: { content: null, isError: false, taint: [] } },
    { type: 'question.answer', actor: person(how), questionId: id, answer: 'late' },
    { type: 'message.correlate', actor: WORKER, subscriptionId: id, payload: {} },
    { type: 'signal.receive', actor: WORKER, subscriptionId: id, payload: {} },
    { type: 'timer.fire', actor: SYSTEM, timerId: id },
    { type: 'child.report', actor: SYSTEM, childRunId: id, report: childReport(how) },
    {
      type: 'approval.vote',
      actor: person(how),
      approvalId: id,
      decision: 'approve',
      comment: null,
      expectedDigest: null,
      expectedRound: null,
    },
    { type: 'contributors.add', actor: SYSTEM, contributors: [person(how).id] },
    { type: 'recover', actor: person(how), steps: [id], variables: null, comment: null },
    {
      type: 'approval.reassign',
      actor: person(how),
      approvalId: id,
      candidateUsers: [],
      candidateGroups: [],
      comment: null,
    },
  ];
  return all[pick % all.length] ?? { type: 'timer.fire', actor: SYSTEM, timerId: id };
}

function assignment(state: RunState, pick: number, how: number): Command {
  const pending = Object.values(state.instances).flatMap(({ waits }) =>
    (waits ?? []).flatMap((wait) => (wait.kind === 'approval' ? [wait.approval.approvalId] : [])),
  );
  const approvalId = pending[pick % Math.max(pending.length, 1)] ?? 'unknown';
  return how % 2 === 0
    ? { type: 'approval.delegate', actor: person(how), approvalId, to: 'dan', until: null }
    : {
        type: 'approval.reassign',
        actor: person(how),
        approvalId,
        candidateUsers: ['ada', 'bob', 'cyd'],
        candidateGroups: [],
        comment: null,
      };
}
