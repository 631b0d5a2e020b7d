import type { RunState, RunStatus } from '@countersign/model';
import { projectRun, type ReplayedMoment } from '@countersign/interpreter';
import type { RunRecord } from '../../ports/records.js';
import type { RunSnapshot } from '../../ports/run-snapshot.js';
import { toTimestamp } from '../views/to-json-response.js';
import { toRunEventView } from '../views/run-event-view.js';
import type { RunStateView, TokenView } from '../views/run-state-view.js';
import { toWaitingForView } from '../views/run-view.js';
import type { StepView } from '../views/step-view.js';
import type { RunAtEvent } from './run-timeline.js';

type DerivedState = Pick<
  RunStateView,
  'status' | 'currentStep' | 'incidents' | 'error' | 'waitingFor' | 'variables' | 'tokens' | 'takenFlows'
>;

/**
 * Builds the view of a run at an event. Yields between the parts of the work, so that it can be time-sliced.
 *
 * @param runRecord the list record of the run
 * @param state the current state of the run
 */
export function* buildRunStateView(
  runRecord: RunRecord,
  state: RunSnapshot,
  moment: RunAtEvent,
): Generator<void, RunStateView> {
  const { event, summary, gap } = moment;
  const steps = moment.steps.listSteps();
  yield;
  const derivedState =
    moment.replayedMoment === undefined
      ? buildStateFromSteps(steps, moment)
      : yield* buildStateFromReplay(steps, moment.replayedMoment);
  yield;
  const { outcome, cancelling, workflowVersion, workflowDigest } = summary;
  return {
    runId: runRecord.runId,
    workflowId: runRecord.workflowId,
    workflowVersion,
    workflowDigest,
    at: event.seq,
    time: toTimestamp(event.at),
    lastSeq: state.seq,
    event: toRunEventView(event),
    outcome,
    cancelling,
    ...derivedState,
    ...(event.seq === state.seq ? buildCurrentState(runRecord, state) : {}),
    steps,
    gap: gap === undefined ? null : { seq: gap.seq, code: gap.code, message: gap.message },
  };
}

/**
 * Returns the current state from the list record, without a replay. In list records, the waits of child runs appear in
 * their parent run.
 */
function buildCurrentState(runRecord: RunRecord, state: RunSnapshot): Omit<DerivedState, 'tokens' | 'takenFlows'> {
  const { status, currentStep, incidents, error, waitingFor } = runRecord;
  return {
    status,
    currentStep,
    incidents,
    error: error === null ? null : { ...error },
    waitingFor: waitingFor.map(toWaitingForView),
    variables: state.variables,
  };
}

function* buildStateFromReplay(
  steps: readonly StepView[],
  { state, graph, flows, isWithinCommand }: ReplayedMoment,
): Generator<void, DerivedState> {
  const { status, currentStep, incidents, error, waitingFor } = projectRun(graph, state);
  yield;
  return {
    // Within a command, the run is about to continue.
    status: isWithinCommand && state.outcome === null ? 'active' : status,
    currentStep,
    incidents,
    error: error === null ? null : { ...error },
    waitingFor: waitingFor.map(toWaitingForView),
    variables: state.instances[state.root]?.variables ?? {},
    tokens: yield* buildTokens(steps, state),
    takenFlows: [...flows].map(([flowId, count]) => ({ flowId, count })),
  };
}

/** Returns a token for each instance without child instances, and the tokens that wait at gateways. */
function* buildTokens(steps: readonly StepView[], state: RunState): Generator<void, TokenView[]> {
  if (state.outcome !== null) return [];
  const stepsById = new Map(steps.map((step) => [step.stepId, step]));
  const instances = Object.values(state.instances);
  const parentKeys = new Set(instances.map(({ parent }) => parent));
  const tokens: TokenView[] = [];
  for (const { key, stepId, elementId, joins = {} } of instances) {
    const step = stepsById.get(stepId);
    if (key !== state.root && !parentKeys.has(key) && Object.keys(joins).length === 0) {
      tokens.push(
        step === undefined ? { elementId, stepId, flowId: null, kind: 'active', count: 1 } : toTokenView(step),
      );
    }
    for (const [gateway, flows] of Object.entries(joins)) {
      for (const [flowId, count] of Object.entries(flows))
        if (count > 0) tokens.push({ elementId: gateway, stepId: null, flowId, kind: 'waiting', count });
    }
    yield;
  }
  return tokens;
}

/** Derives the state from the steps only. */
function buildStateFromSteps(steps: readonly StepView[], { summary: { outcome } }: RunAtEvent): DerivedState {
  const openSteps = steps.filter(({ status }) => status === 'active' || status === 'waiting' || status === 'failed');
  const failedSteps = openSteps.filter(({ status }) => status === 'failed');
  const [firstFailed] = failedSteps;
  const [firstOpen] = openSteps;
  const error = firstFailed?.error ?? null;
  return {
    status: deriveStatus(openSteps, outcome),
    currentStep: firstOpen?.elementId ?? null,
    incidents: failedSteps.length,
    error:
      error === null ? null : { code: error.code, message: error.message, elementId: firstFailed?.elementId ?? null },
    waitingFor: null,
    variables: null,
    tokens: openSteps.map(toTokenView),
    takenFlows: null,
  };
}

function deriveStatus(openSteps: readonly StepView[], outcome: RunState['outcome']): RunStatus {
  if (outcome !== null) return outcome === 'completed' ? 'completed' : 'failed';
  if (openSteps.some(({ status }) => status === 'active')) return 'active';
  if (openSteps.some(({ status }) => status === 'waiting')) return 'blocked';
  return openSteps.length > 0 ? 'failed' : 'active';
}

function toTokenView({ elementId, stepId, status }: StepView): TokenView {
  return {
    elementId,
    stepId,
    flowId: null,
    kind: status === 'waiting' || status === 'failed' ? status : 'active',
    count: 1,
  };
}
