import type { RunState, RunStatus } from '@countersign/model';
import { projectRun, type ReplayedMoment } from '@countersign/interpreter';
import type { RunRecord } from '../../ports/records.js';
import { variablesOf } from '../run-queries.js';
import { timestamp } from '../views/as-response.js';
import { runEventView } from '../views/event-view.js';
import type { RunStateView, TokenView } from '../views/run-state-view.js';
import { waitingForView } from '../views/run-view.js';
import type { StepView } from '../views/step-view.js';
import type { RunAtEvent } from './run-timeline.js';

type Known = Pick<
  RunStateView,
  'status' | 'currentStep' | 'incidents' | 'error' | 'waitingFor' | 'variables' | 'tokens' | 'takenFlows'
>;

/**
 * Builds the view of a run at an event. Yields between its parts.
 *
 * @param shown the list record of the run
 * @param state the current state of the run
 */
export function* runStateView(shown: RunRecord, state: RunState, moment: RunAtEvent): Generator<void, RunStateView> {
  const { event, facts, gap } = moment;
  const steps = moment.steps.ordered();
  yield;
  const known = moment.replayed === undefined ? stateFromSteps(steps, moment) : yield* replayed(steps, moment.replayed);
  yield;
  const { outcome, cancelling, workflowVersion, workflowDigest } = facts;
  return {
    runId: shown.runId,
    workflowId: shown.workflowId,
    workflowVersion,
    workflowDigest,
    at: event.seq,
    time: timestamp(event.at),
    lastSeq: state.seq,
    event: runEventView(event),
    outcome,
    cancelling,
    ...known,
    ...(event.seq === state.seq ? liveState(shown, state) : {}),
    steps,
    gap: gap === undefined ? null : { seq: gap.seq, code: gap.code, message: gap.message },
  };
}

/** Returns the current state without a replay. A run that waits for called runs shows what those wait for. */
function liveState(shown: RunRecord, state: RunState): Omit<Known, 'tokens' | 'takenFlows'> {
  const { status, currentStep, incidents, error, waitingFor } = shown;
  return {
    status,
    currentStep,
    incidents,
    error: error === null ? null : { ...error },
    waitingFor: waitingFor.map(waitingForView),
    variables: variablesOf(state),
  };
}

function* replayed(
  steps: readonly StepView[],
  { state, graph, flows, isWithinCommand }: ReplayedMoment,
): Generator<void, Known> {
  const { status, currentStep, incidents, error, waitingFor } = projectRun(graph, state);
  yield;
  return {
    // Within a command, the run is about to continue.
    status: isWithinCommand && state.outcome === null ? 'active' : status,
    currentStep,
    incidents,
    error: error === null ? null : { ...error },
    waitingFor: waitingFor.map(waitingForView),
    variables: variablesOf(state),
    tokens: yield* tokensOf(steps, state),
    takenFlows: [...flows].map(([flowId, count]) => ({ flowId, count })),
  };
}

/** Returns a token for each instance without child instances, and the tokens that wait at gateways. */
function* tokensOf(steps: readonly StepView[], state: RunState): Generator<void, TokenView[]> {
  if (state.outcome !== null) return [];
  const known = new Map(steps.map((step) => [step.stepId, step]));
  const instances = Object.values(state.instances);
  const holders = new Set(instances.map(({ parent }) => parent));
  const tokens: TokenView[] = [];
  for (const { key, stepId, elementId, joins = {} } of instances) {
    const step = known.get(stepId);
    if (key !== state.root && !holders.has(key) && Object.keys(joins).length === 0) {
      tokens.push(step === undefined ? { elementId, stepId, flowId: null, kind: 'active', count: 1 } : tokenOf(step));
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
function stateFromSteps(steps: readonly StepView[], { facts: { outcome } }: RunAtEvent): Known {
  const open = steps.filter(({ status }) => status === 'active' || status === 'waiting' || status === 'failed');
  const failed = open.filter(({ status }) => status === 'failed');
  const [first] = failed;
  const [holder] = open;
  const error = first?.error ?? null;
  return {
    status: statusOf(open, outcome),
    currentStep: holder?.elementId ?? null,
    incidents: failed.length,
    error: error === null ? null : { code: error.code, message: error.message, elementId: first?.elementId ?? null },
    waitingFor: null,
    variables: null,
    tokens: open.map(tokenOf),
    takenFlows: null,
  };
}

function statusOf(open: readonly StepView[], outcome: RunState['outcome']): RunStatus {
  if (outcome !== null) return outcome === 'completed' ? 'completed' : 'failed';
  if (open.some(({ status }) => status === 'active')) return 'active';
  if (open.some(({ status }) => status === 'waiting')) return 'blocked';
  return open.length > 0 ? 'failed' : 'active';
}

function tokenOf({ elementId, stepId, status }: StepView): TokenView {
  return {
    elementId,
    stepId,
    flowId: null,
    kind: status === 'waiting' || status === 'failed' ? status : 'active',
    count: 1,
  };
}
