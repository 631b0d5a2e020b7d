import type { Approval, RunDetail, Step, WaitingFor } from '@countersign/contract';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { texts } from '../../texts/index.js';

/** Action on a waiting or failed run. */
export type ExplanationAction =
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
  readonly actions: readonly ExplanationAction[];
}

export interface RunContext {
  readonly run: RunDetail;
  /** Approvals of the run that are loaded so far. */
  readonly approvals: readonly Approval[];
  /** Actor and reason of the cancellation, if loaded. */
  readonly cancellation?: { readonly by: string | null; readonly reason: string | null } | undefined;
  /** Whether the server lists the run as stuck. */
  readonly stuck: boolean;
  /** Current time, in ms. */
  readonly now: number;
}

const whyTexts = texts.run.why;
/** Most urgent first: waits that a user can end come before waits that only time or another system can end. */
const WAIT_CATEGORIES_BY_URGENCY = [
  'approval',
  'question',
  'message',
  'child',
  'timer',
  'signal',
  'condition',
] as const;
type WaitCategory = (typeof WAIT_CATEGORIES_BY_URGENCY)[number];

export function explainRun(context: RunContext): RunExplanation {
  const { run } = context;
  if (run.outcome !== null) return explainEnded(context);
  if (run.cancelling)
    return {
      tone: 'active',
      text: whyTexts.cancelling(describeCancellation(context)),
      actions: run.incidents > 0 ? [{ kind: 'recover' }] : [],
    };
  if (run.incidents > 0) return explainFailed(context);
  if (run.waitingFor.length > 0) return explainWaiting(context);
  return explainActive(context);
}

function explainEnded(context: RunContext): RunExplanation {
  const { run, approvals } = context;
  const duration = formatDuration(Date.parse(run.completedAt ?? run.updatedAt) - Date.parse(run.startedAt));
  switch (run.outcome) {
    case 'completed':
      return { tone: 'done', text: whyTexts.completed(duration), actions: [] };
    case 'cancelled':
      return { tone: 'ended', text: whyTexts.cancelled(describeCancellation(context)), actions: [] };
    case 'rejected': {
      const approval = approvals.find(({ status, runId }) => status === 'rejected' && runId === run.runId);
      const vote = approval?.votes.find(({ decision }) => decision === 'reject');
      if (approval === undefined || vote === undefined)
        return { tone: 'failed', text: whyTexts.childRejected, actions: [] };
      return {
        tone: 'failed',
        text: whyTexts.rejected(vote.byName ?? vote.by, approval.title, vote.comment),
        actions: [{ kind: 'approval', approvalId: approval.approvalId }],
      };
    }
    default:
      return {
        tone: 'failed',
        text: whyTexts.failed(run.error === null ? null : describeError(run.error)),
        actions: [],
      };
  }
}

function explainFailed({ run, now }: RunContext): RunExplanation {
  const failedSteps = run.steps.filter(({ status }) => status === 'failed');
  const [firstFailedStep] = failedSteps;
  const error = firstFailedStep?.error ?? run.error;
  const moreFailedText = failedSteps.length > 1 ? whyTexts.moreFailed(failedSteps.length - 1) : '';
  const [wait] = findOwnWaits(run);
  const meanwhileText = wait === undefined ? '' : whyTexts.alsoWaits(describeWait(wait, run, [], now));
  const text = `${whyTexts.incident(firstFailedStep === undefined ? whyTexts.aStep : quoteName(firstFailedStep), error === null ? null : describeError(error))}${moreFailedText}${meanwhileText}`;
  return {
    tone: 'failed',
    text,
    actions: [
      { kind: 'recover' },
      ...(firstFailedStep === undefined ? [] : [{ kind: 'step', stepId: firstFailedStep.stepId } as const]),
      ...(wait === undefined ? [] : getWaitActions(wait)),
    ],
  };
}

function explainWaiting({ run, approvals, now }: RunContext): RunExplanation {
  const waits = findOwnWaits(run);
  const [firstWait] = waits;
  if (firstWait === undefined) return { tone: 'waiting', text: whyTexts.waits, actions: [] };
  const otherWaits = waits.slice(1);
  const activeText = run.status === 'active' ? whyTexts.whileActive : '';
  const text = `${whyTexts.waitsFor(describeWait(firstWait, run, approvals, now))}${otherWaits.length === 0 ? '' : whyTexts.and(otherWaits.length === 1 && otherWaits[0] !== undefined ? describeWait(otherWaits[0], run, approvals, now) : whyTexts.otherWaits(otherWaits.length))}${activeText}.`;
  return {
    tone: run.status === 'active' ? 'active' : 'waiting',
    text,
    actions: removeDuplicates(waits.slice(0, 3).flatMap(getWaitActions)),
  };
}

function explainActive({ run, stuck, now }: RunContext): RunExplanation {
  const activeSteps = run.steps.filter(({ status }) => status === 'active');
  // The innermost step: nested steps are entered after their outer step.
  const step = activeSteps.findLast(({ type }) => !SCOPE_TYPES.has(type)) ?? activeSteps.at(-1);
  const actions = step === undefined ? [] : [{ kind: 'step', stepId: step.stepId } as const];
  const duration = formatDuration(now - Date.parse(step?.startedAt ?? run.updatedAt));
  if (stuck) return { tone: 'failed', text: whyTexts.stuck(formatDuration(now - Date.parse(run.updatedAt))), actions };
  if (step === undefined) return { tone: 'active', text: whyTexts.active, actions };
  if (step.error !== null)
    return {
      tone: 'active',
      text: whyTexts.retried(quoteName(step), step.attempt, describeError(step.error)),
      actions,
    };
  const otherCount = activeSteps.filter((each) => each !== step && !SCOPE_TYPES.has(each.type)).length;
  return {
    tone: 'active',
    text: `${step.agentName === null ? whyTexts.works(quoteName(step), duration) : whyTexts.agentWorks(step.agentName, quoteName(step), duration)}${otherCount > 0 ? whyTexts.alsoActive(otherCount) : ''}.`,
    actions,
  };
}

const SCOPE_TYPES: ReadonlySet<string> = new Set([
  'subProcess',
  'transaction',
  'adHocSubProcess',
  'multiInstanceBody',
  'standardLoopBody',
]);

/**
 * Returns the waits of the run itself, most urgent first. The server reports the waits of a child run instead of the
 * wait for the end of the child run, so that wait is added.
 */
function findOwnWaits(run: RunDetail): readonly WaitingFor[] {
  const ownStepIds = new Set(run.steps.map(({ stepId }) => stepId));
  const rank = (wait: WaitingFor): number => WAIT_CATEGORIES_BY_URGENCY.indexOf(getWaitCategory(wait));
  const waits = run.waitingFor.filter(({ stepId }) => ownStepIds.has(stepId));
  const callSteps =
    waits.length === run.waitingFor.length
      ? []
      : run.steps.filter(
          (step) =>
            step.calledRunId !== null &&
            step.completedAt === null &&
            !waits.some(({ stepId }) => stepId === step.stepId),
        );
  return [...waits, ...callSteps.map(toChildRunWait)].sort((a, b) => rank(a) - rank(b));
}

function toChildRunWait({ stepId, elementId, name, startedAt, calledRunId }: Step): WaitingFor {
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

function getWaitCategory(wait: WaitingFor): WaitCategory {
  if (wait.kind !== 'event') return wait.kind;
  if (wait.messageName !== null) return 'message';
  if (wait.childRunId !== null) return 'child';
  return wait.signalName === null ? 'condition' : 'signal';
}

function describeWait(wait: WaitingFor, run: RunDetail, approvals: readonly Approval[], now: number): string {
  const quotedName = `“${wait.name ?? wait.elementId}”`;
  switch (wait.kind) {
    case 'approval': {
      const approval = approvals.find(({ approvalId }) => approvalId === wait.approvalId);
      return whyTexts.approval(
        approval === undefined ? quotedName : `“${approval.title}”`,
        describeApprovers(approval),
        approval === undefined ? '' : describeQuorum(approval),
        describeDueTime(wait.dueAt, now),
      );
    }
    case 'question':
      return whyTexts.question(
        quotedName,
        run.steps.find(({ stepId }) => stepId === wait.stepId)?.agentName ?? null,
        describeDueTime(wait.dueAt, now),
      );
    case 'timer':
      return whyTexts.timer(quotedName, formatTimeUntilDue(wait.dueAt, now));
    case 'event':
      if (wait.messageName !== null) return whyTexts.message(wait.messageName, wait.correlationKey, quotedName);
      if (wait.childRunId !== null) return whyTexts.child(quotedName, describeChildWait(run, approvals, now));
      return wait.signalName === null ? whyTexts.condition(quotedName) : whyTexts.signal(wait.signalName, quotedName);
  }
}

/** Describes a wait of a child run; returns `null` if there is none. */
function describeChildWait(run: RunDetail, approvals: readonly Approval[], now: number): string | null {
  const ownStepIds = new Set(run.steps.map(({ stepId }) => stepId));
  const deepestWait = run.waitingFor.find((wait) => !ownStepIds.has(wait.stepId) && getWaitCategory(wait) !== 'child');
  return deepestWait === undefined ? null : describeWait(deepestWait, run, approvals, now);
}

function getWaitActions(wait: WaitingFor): readonly ExplanationAction[] {
  if (wait.kind === 'approval') return [{ kind: 'approval', approvalId: wait.approvalId }];
  if (wait.kind === 'question') return [{ kind: 'question', questionId: wait.questionId }];
  if (wait.kind === 'timer') return [];
  if (wait.messageName !== null)
    return [{ kind: 'deliver', messageName: wait.messageName, correlationKey: wait.correlationKey }];
  return wait.childRunId === null ? [] : [{ kind: 'run', runId: wait.childRunId }];
}

function removeDuplicates(actions: readonly ExplanationAction[]): readonly ExplanationAction[] {
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}

function describeApprovers(approval: Approval | undefined): string | null {
  if (approval === undefined) return null;
  const people = [...approval.candidateUsers, ...approval.candidateGroups.map(whyTexts.group)];
  return people.length === 0 ? whyTexts.anyApprover : joinNames(people);
}

function describeQuorum({ quorum: { required, approvals } }: Approval): string {
  return required > 1 ? whyTexts.quorum(approvals, required) : '';
}

function joinNames(names: readonly string[]): string {
  return names.length <= 3
    ? new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
    : whyTexts.oneOf(names.slice(0, 2).join(', '), names.length - 2);
}

function describeDueTime(dueAt: string | null, now: number): string {
  if (dueAt === null) return '';
  return Date.parse(dueAt) > now
    ? whyTexts.due(formatTimeUntilDue(dueAt, now))
    : whyTexts.late(formatTimeUntilDue(dueAt, now));
}

function formatTimeUntilDue(dueAt: string, now: number): string {
  const remainingMs = Date.parse(dueAt) - now;
  return remainingMs > 0 ? whyTexts.in(formatDuration(remainingMs)) : whyTexts.overdue(formatDuration(-remainingMs));
}

function quoteName({ name, elementId }: Step): string {
  return `“${name ?? elementId}”`;
}

function describeError({ code, message }: { readonly code: string; readonly message: string }): string {
  return message === '' ? code : message;
}

function describeCancellation({ cancellation }: RunContext): string {
  return cancellation === undefined ? '' : whyTexts.cancelledBy(cancellation.by, cancellation.reason);
}
