import { isRunEvent, type RunEventDraft, type RunStatus } from '@countersign/model';
import type { RunDetailView } from './run-detail-view.js';
import type { WaitingForView } from './run-view.js';
import type { StepStatus } from './step-view.js';

export type PlannedStepView = { stepId: string; elementId: string; name: string | null; status: StepStatus };

/** Child run that a cancellation would also cancel. */
export type PlannedChildRunView = {
  runId: string;
  parentRunId: string | null;
  workflowId: string;
  status: RunStatus;
  compensate: PlannedStepView[];
};

/** Plan of a cancellation or recovery. */
export type RunPlanView = {
  dryRun: true;
  operation: 'cancel' | 'recover';
  runId: string;
  status: RunStatus;
  stop: PlannedStepView[];
  compensate: PlannedStepView[];
  calledRuns: PlannedChildRunView[];
  void: WaitingForView[];
  retry: PlannedStepView[];
  notes: string[];
};

/**
 * Builds the plan of a command from the events that it would record, and from the child runs that it would also cancel.
 */
export function toRunPlanView(
  operation: RunPlanView['operation'],
  run: RunDetailView,
  events: readonly RunEventDraft[],
  childRuns: PlannedChildRunView[],
): RunPlanView {
  const findStepIds = (type: string): ReadonlySet<string> =>
    new Set(events.flatMap((event) => (event.type === type && event.stepId !== null ? [event.stepId] : [])));
  const toPlannedSteps = (ids: ReadonlySet<string>): PlannedStepView[] =>
    run.steps.filter((step) => ids.has(step.stepId)).map(toPlannedStep);
  const cancelledStepIds = findStepIds('step.cancelled');
  const withdrawnIds = new Set(
    events.flatMap((event) =>
      isRunEvent(event, 'approval.withdrawn')
        ? [event.data.approvalId]
        : isRunEvent(event, 'question.withdrawn')
          ? [event.data.questionId]
          : [],
    ),
  );
  const becomesVoid = (wait: WaitingForView): boolean =>
    cancelledStepIds.has(wait.stepId) ||
    (wait.kind === 'approval' && withdrawnIds.has(wait.approvalId)) ||
    (wait.kind === 'question' && withdrawnIds.has(wait.questionId));
  return {
    dryRun: true,
    operation,
    runId: run.runId,
    status: run.status,
    stop: toPlannedSteps(cancelledStepIds),
    compensate: findPlannedCompensations(run, events),
    calledRuns: childRuns,
    void: run.waitingFor.filter(becomesVoid),
    retry: toPlannedSteps(findStepIds('step.retried')),
    notes: buildNotes(operation, events),
  };
}

/** Returns the steps that would be compensated, in the order in which their handlers would start. */
export function findPlannedCompensations(
  run: Pick<RunDetailView, 'steps'>,
  events: readonly RunEventDraft[],
): PlannedStepView[] {
  const steps = new Map(run.steps.map((step) => [step.stepId, step]));
  const compensatedStepIds = events.flatMap((event) =>
    isRunEvent(event, 'compensation.started') ? event.data.steps : [],
  );
  return compensatedStepIds.flatMap((stepId) => {
    const step = steps.get(stepId);
    return step === undefined ? [] : [toPlannedStep(step)];
  });
}

function toPlannedStep({ stepId, elementId, name, status }: PlannedStepView): PlannedStepView {
  return { stepId, elementId, name, status };
}

function buildNotes(operation: RunPlanView['operation'], events: readonly RunEventDraft[]): string[] {
  const notes: string[] = [];
  if (operation === 'cancel') {
    const isCompensating = events.some(({ type }) => type === 'compensation.started');
    notes.push(
      `The run ends as cancelled${isCompensating ? ', once its completed steps are compensated' : ''}. Results that arrive later have no effect.`,
    );
  }
  for (const event of events) {
    if (isRunEvent(event, 'step.failed') && operation === 'recover') {
      notes.push(`"${event.elementId ?? ''}" would fail again immediately (${event.data.code}).`);
    } else if (event.type === 'approval.requested') {
      notes.push(`An approval would be requested at "${event.elementId ?? ''}".`);
    } else if (event.type === 'run.completed') {
      notes.push('The run would complete immediately.');
    } else if (isRunEvent(event, 'run.recovered')) {
      const names = event.data.variableNames.map((name) => `"${name}"`);
      if (names.length > 0)
        notes.push(
          `The person who changes variables (${names.join(', ')}) may not decide approvals of this run afterwards.`,
        );
    }
  }
  return [...new Set(notes)].slice(0, 50);
}
