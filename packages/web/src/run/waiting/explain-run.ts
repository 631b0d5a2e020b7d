import type { WaitingFor } from '@countersign/contract';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { texts } from '../../texts/index.js';
import { describeWait, describeWaits, quoteName, type WaitContext } from './describe-waits.js';
import { findOwnWaits } from './own-waits.js';

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

export interface RunContext extends WaitContext {
  /** Actor and reason of the cancellation, if loaded. */
  readonly cancellation?: { readonly by: string | null; readonly reason: string | null } | undefined;
  /** Whether the server lists the run as stuck. */
  readonly stuck: boolean;
}

const whyTexts = texts.run.why;

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
  const meanwhileText = wait === undefined ? '' : whyTexts.alsoWaits(describeWait(wait, { run, approvals: [], now }));
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

function explainWaiting(context: RunContext): RunExplanation {
  const { run } = context;
  const waits = findOwnWaits(run);
  const [firstWait] = waits;
  if (firstWait === undefined) return { tone: 'waiting', text: whyTexts.waits, actions: [] };
  const activeText = run.status === 'active' ? whyTexts.whileActive : '';
  const text = `${whyTexts.waitsFor(describeWaits(firstWait, waits.slice(1), context))}${activeText}.`;
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

function describeError({ code, message }: { readonly code: string; readonly message: string }): string {
  return message === '' ? code : message;
}

function describeCancellation({ cancellation }: RunContext): string {
  return cancellation === undefined ? '' : whyTexts.cancelledBy(cancellation.by, cancellation.reason);
}
