import type { RunDetail, Step, WaitingFor } from '@countersign/contract';

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

/**
 * Returns the waits of the run itself, most urgent first. The server reports the waits of a child run instead of the
 * wait for the end of the child run, so that wait is added.
 */
export function findOwnWaits(run: RunDetail): readonly WaitingFor[] {
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

export function getWaitCategory(wait: WaitingFor): WaitCategory {
  if (wait.kind !== 'event') return wait.kind;
  if (wait.messageName !== null) return 'message';
  if (wait.childRunId !== null) return 'child';
  return wait.signalName === null ? 'condition' : 'signal';
}
