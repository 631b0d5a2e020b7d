import type { Approval, RunDetail, Step, WaitingFor } from '@countersign/contract';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { texts } from '../../texts/index.js';

/** Action on a waiting or failed run. */
export type WhyAction =
  | { readonly kind: 'approval'; readonly approvalId: string }
  | { readonly kind: 'question'; readonly questionId: string }
  | { readonly kind: 'deliver'; readonly messageName: string; readonly correlationKey: string | null }
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'step'; readonly stepId: string }
  | { readonly kind: 'recover' };

export type ExplanationTone = 'active' | 'waiting' | 'failed' | 'done' | 'ended';

/** One sentence that explains the state of a run, and the available actions. */
export interface RunExplanation {
  readonly tone: ExplanationTone;
  readonly text: string;
  readonly actions: readonly WhyAction[];
}

export interface RunContext {
  readonly run: RunDetail;
  /** Approvals of the run that are loaded so far. */
  readonly approvals: readonly Approval[];
  /** Who cancelled the run and why, if loaded. */
  readonly cancelled?: { readonly by: string | null; readonly reason: string | null } | undefined;
  /** Whether the server lists the run as stuck. */
  readonly stuck: boolean;
  /** In ms. */
  readonly now: number;
}

const words = texts.run.why;
/** Most urgent first: waits that a user can end come before those that only time or another system can. */
const ORDER = ['approval', 'question', 'message', 'child', 'timer', 'signal', 'condition'] as const;
type Kind = (typeof ORDER)[number];

export function explainRun(asked: RunContext): RunExplanation {
  const { run } = asked;
  if (run.outcome !== null) return ended(asked);
  if (run.cancelling)
    return {
      tone: 'active',
      text: words.cancelling(cancelledBy(asked)),
      actions: run.incidents > 0 ? [{ kind: 'recover' }] : [],
    };
  if (run.incidents > 0) return failed(asked);
  if (run.waitingFor.length > 0) return waiting(asked);
  return active(asked);
}

function ended(asked: RunContext): RunExplanation {
  const { run, approvals } = asked;
  const after = formatDuration(Date.parse(run.completedAt ?? run.updatedAt) - Date.parse(run.startedAt));
  switch (run.outcome) {
    case 'completed':
      return { tone: 'done', text: words.completed(after), actions: [] };
    case 'cancelled':
      return { tone: 'ended', text: words.cancelled(cancelledBy(asked)), actions: [] };
    case 'rejected': {
      const approval = approvals.find(({ status, runId }) => status === 'rejected' && runId === run.runId);
      const vote = approval?.votes.find(({ decision }) => decision === 'reject');
      if (approval === undefined || vote === undefined)
        return { tone: 'failed', text: words.rejectedBelow, actions: [] };
      return {
        tone: 'failed',
        text: words.rejected(vote.byName ?? vote.by, approval.title, vote.comment),
        actions: [{ kind: 'approval', approvalId: approval.approvalId }],
      };
    }
    default:
      return { tone: 'failed', text: words.failed(run.error === null ? null : said(run.error)), actions: [] };
  }
}

function failed({ run, now }: RunContext): RunExplanation {
  const steps = run.steps.filter(({ status }) => status === 'failed');
  const [first] = steps;
  const error = first?.error ?? run.error;
  const rest = steps.length > 1 ? words.moreFailed(steps.length - 1) : '';
  const [wait] = own(run);
  const meanwhile = wait === undefined ? '' : words.meanwhile(sentenceOf(wait, run, [], now));
  const text = `${words.incident(first === undefined ? words.aStep : quoted(first), error === null ? null : said(error))}${rest}${meanwhile}`;
  return {
    tone: 'failed',
    text,
    actions: [
      { kind: 'recover' },
      ...(first === undefined ? [] : [{ kind: 'step', stepId: first.stepId } as const]),
      ...(wait === undefined ? [] : actionsOf(wait)),
    ],
  };
}

function waiting({ run, approvals, now }: RunContext): RunExplanation {
  const waits = own(run);
  const [first] = waits;
  if (first === undefined) return { tone: 'waiting', text: words.waits, actions: [] };
  const rest = waits.slice(1);
  const busy = run.status === 'active' ? words.whileActive : '';
  const text = `${words.waitsFor(sentenceOf(first, run, approvals, now))}${rest.length === 0 ? '' : words.and(rest.length === 1 && rest[0] !== undefined ? sentenceOf(rest[0], run, approvals, now) : words.others(rest.length))}${busy}.`;
  return {
    tone: run.status === 'active' ? 'active' : 'waiting',
    text,
    actions: distinct(waits.slice(0, 3).flatMap(actionsOf)),
  };
}

function active({ run, stuck, now }: RunContext): RunExplanation {
  const open = run.steps.filter(({ status }) => status === 'active');
  // The innermost step: nested steps are entered after their outer step.
  const step = open.findLast(({ type }) => !SCOPES.has(type)) ?? open.at(-1);
  const actions = step === undefined ? [] : [{ kind: 'step', stepId: step.stepId } as const];
  const since = formatDuration(now - Date.parse(step?.startedAt ?? run.updatedAt));
  if (stuck) return { tone: 'failed', text: words.stuck(formatDuration(now - Date.parse(run.updatedAt))), actions };
  if (step === undefined) return { tone: 'active', text: words.active, actions };
  if (step.error !== null)
    return { tone: 'active', text: words.retried(quoted(step), step.attempt, said(step.error)), actions };
  const rest = open.filter((each) => each !== step && !SCOPES.has(each.type)).length;
  return {
    tone: 'active',
    text: `${step.agentName === null ? words.works(quoted(step), since) : words.agentWorks(step.agentName, quoted(step), since)}${rest > 0 ? words.alsoActive(rest) : ''}.`,
    actions,
  };
}

const SCOPES: ReadonlySet<string> = new Set([
  'subProcess',
  'transaction',
  'adHocSubProcess',
  'multiInstanceBody',
  'standardLoopBody',
]);

/** Returns the run's own waits, most urgent first. The wait of a child run replaces the wait for that run. */
function own(run: RunDetail): readonly WaitingFor[] {
  const steps = new Set(run.steps.map(({ stepId }) => stepId));
  const rank = (wait: WaitingFor): number => ORDER.indexOf(kindOf(wait));
  const waits = run.waitingFor.filter(({ stepId }) => steps.has(stepId));
  const calls =
    waits.length === run.waitingFor.length
      ? []
      : run.steps.filter(
          (step) =>
            step.calledRunId !== null &&
            step.completedAt === null &&
            !waits.some(({ stepId }) => stepId === step.stepId),
        );
  return [...waits, ...calls.map(callWait)].sort((a, b) => rank(a) - rank(b));
}

function callWait({ stepId, elementId, name, startedAt, calledRunId }: Step): WaitingFor {
  return {
    kind: 'event',
    stepId,
    elementId,
    name,
    since: startedAt,
    messageName: null,
    correlationKey: null,
    signalName: null,
    childRunId: calledRunId,
  };
}

function kindOf(wait: WaitingFor): Kind {
  if (wait.kind !== 'event') return wait.kind;
  if (wait.messageName !== null) return 'message';
  if (wait.childRunId !== null) return 'child';
  return wait.signalName === null ? 'condition' : 'signal';
}

function sentenceOf(wait: WaitingFor, run: RunDetail, approvals: readonly Approval[], now: number): string {
  const at = `“${wait.name ?? wait.elementId}”`;
  switch (wait.kind) {
    case 'approval': {
      const approval = approvals.find(({ approvalId }) => approvalId === wait.approvalId);
      return words.approval(
        approval === undefined ? at : `“${approval.title}”`,
        deciders(approval),
        approval === undefined ? '' : quorum(approval),
        due(wait.dueAt, now),
      );
    }
    case 'question':
      return words.question(
        at,
        run.steps.find(({ stepId }) => stepId === wait.stepId)?.agentName ?? null,
        due(wait.dueAt, now),
      );
    case 'timer':
      return words.timer(at, until(wait.dueAt, now));
    case 'event':
      if (wait.messageName !== null) return words.message(wait.messageName, wait.correlationKey, at);
      if (wait.childRunId !== null) return words.child(at, below(run, approvals, now));
      return wait.signalName === null ? words.condition(at) : words.signal(wait.signalName, at);
  }
}

/** Returns a text on what the child runs wait for. */
function below(run: RunDetail, approvals: readonly Approval[], now: number): string | null {
  const steps = new Set(run.steps.map(({ stepId }) => stepId));
  const deepest = run.waitingFor.find((wait) => !steps.has(wait.stepId) && kindOf(wait) !== 'child');
  return deepest === undefined ? null : sentenceOf(deepest, run, approvals, now);
}

function actionsOf(wait: WaitingFor): readonly WhyAction[] {
  if (wait.kind === 'approval') return [{ kind: 'approval', approvalId: wait.approvalId }];
  if (wait.kind === 'question') return [{ kind: 'question', questionId: wait.questionId }];
  if (wait.kind === 'timer') return [];
  if (wait.messageName !== null)
    return [{ kind: 'deliver', messageName: wait.messageName, correlationKey: wait.correlationKey }];
  return wait.childRunId === null ? [] : [{ kind: 'run', runId: wait.childRunId }];
}

function distinct(actions: readonly WhyAction[]): readonly WhyAction[] {
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}

function deciders(approval: Approval | undefined): string | null {
  if (approval === undefined) return null;
  const people = [...approval.candidateUsers, ...approval.candidateGroups.map(words.group)];
  return people.length === 0 ? words.anyApprover : list(people);
}

function quorum({ quorum: { required, approvals } }: Approval): string {
  return required > 1 ? words.quorum(approvals, required) : '';
}

function list(names: readonly string[]): string {
  return names.length <= 3
    ? new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
    : words.oneOf(names.slice(0, 2).join(', '), names.length - 2);
}

function due(dueAt: string | null, now: number): string {
  if (dueAt === null) return '';
  return Date.parse(dueAt) > now ? words.due(until(dueAt, now)) : words.late(until(dueAt, now));
}

function until(dueAt: string, now: number): string {
  const left = Date.parse(dueAt) - now;
  return left > 0 ? words.in(formatDuration(left)) : words.overdue(formatDuration(-left));
}

function quoted({ name, elementId }: Step): string {
  return `“${name ?? elementId}”`;
}

function said({ code, message }: { readonly code: string; readonly message: string }): string {
  return message === '' ? code : message;
}

function cancelledBy({ cancelled }: RunContext): string {
  return cancelled === undefined ? '' : words.cancelledBy(cancelled.by, cancelled.reason);
}
