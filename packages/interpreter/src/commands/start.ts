import {
  createSequentialId,
  explainNotStartable,
  isStartableByRequest,
  getResponsiblePersonId,
  toRecordedActor,
  type RunState,
  SERVICE_TAINT,
  type StartCommand,
  taintAll,
  type Taints,
  type WorkflowGraph,
  type RunEventMap,
} from '@countersign/model';
import { toRecordedContributors } from '../contributors.js';
import { subscribeEventSubProcesses } from '../elements/sub-process.js';
import type { Execution } from '../execution.js';
import { toStepFailureOrRethrow } from '../incidents.js';
import { toRecordedDeployer } from '../recorded-deployer.js';
import { refuseReservedVariables } from '../reserved-variables.js';
import { startByEvent } from './start-by-event.js';

const ROOT_KEY = 1;

/** Returns the state of a run before its first command. */
export function createInitialState(graph: WorkflowGraph, command: StartCommand, now: number): RunState {
  const inputTaints = command.inputTaints ?? resolveInitialTaints(command);
  return {
    format: 1,
    runId: command.runId,
    workflowId: graph.workflowId,
    workflowVersion: command.workflowVersion,
    workflowDigest: command.workflowDigest,
    businessKey: command.businessKey,
    parent: command.parent ?? null,
    ...(command.startEvent?.correlationKey === undefined ? {} : { startKey: command.startEvent.correlationKey }),
    startedBy: command.actor.id,
    startedAt: now,
    updatedAt: now,
    completedAt: null,
    outcome: null,
    error: null,
    seq: 0,
    counter: ROOT_KEY,
    entered: 0,
    root: ROOT_KEY,
    instances: {
      [ROOT_KEY]: {
        key: ROOT_KEY,
        stepId: createSequentialId(command.runId, ROOT_KEY, now),
        elementId: graph.workflowId,
        parent: null,
        enteredSeq: 0,
        enteredAt: now,
        iteration: 1,
        attempt: 1,
        variables: command.inputs,
        ...(inputTaints === undefined ? {} : { taints: inputTaints }),
      },
    },
    artifacts: {},
    risks: [],
    editors: [...(command.contributors ?? [])],
    ...(getResponsiblePersonId(command.actor) === undefined ? { startedByService: true as const } : {}),
    deciders: [],
    separatedDeciders: [],
    ...(inputTaints === undefined ? {} : { tainted: true as const }),
  };
}

/**
 * Returns the taints of a run's inputs if its start command contains none. Inputs from a service are untrusted. A child
 * run has only the taints in its start command.
 */
function resolveInitialTaints({ actor, parent, inputs }: StartCommand): Taints | undefined {
  return actor.type === 'service' && parent === undefined ? taintAll(inputs, [SERVICE_TAINT]) : undefined;
}

/** Returns the event that starts a run, for a replay: its payload may not be recorded elsewhere. */
function toRecordedStartEvent({ startEvent }: StartCommand): Pick<RunEventMap['run.started']['private'], 'startEvent'> {
  if (startEvent === undefined) return {};
  const { elementId, trigger, payload } = startEvent;
  return { startEvent: { elementId, trigger, payload } };
}

/** Starts a run at the none start events of its process (BPMN 2.0, 13.5.1), or at the event that starts it. */
export function* start(execution: Execution, command: StartCommand): Generator<void, void> {
  if (refuseReservedVariables(execution, command.inputs, 'inputs')) return;
  if (command.startEvent !== undefined && refuseReservedVariables(execution, command.startEvent.payload, 'payload'))
    return;
  const { state, graph } = execution;
  // Without a start event, a run has no token and no wait. A replay skips this check, so that older histories stay
  // replayable.
  if (command.startEvent === undefined && execution.context.isReplay !== true && !isStartableByRequest(graph)) {
    const { message, details } = explainNotStartable(graph, command.workflowVersion);
    execution.refuse('no_start_event', message, details);
    return;
  }
  execution.emit(
    'run.started',
    null,
    {
      runId: state.runId,
      workflowId: state.workflowId,
      workflowVersion: state.workflowVersion,
      workflowDigest: state.workflowDigest,
    },
    {
      actor: { ...toRecordedActor(command.actor) },
      inputs: command.inputs,
      businessKey: command.businessKey,
      ...toRecordedStartEvent(command),
      ...toRecordedContributors(command),
      ...toRecordedDeployer(execution.context),
    },
  );
  try {
    subscribeEventSubProcesses(execution, execution.get(state.root));
    if (command.startEvent !== undefined) yield* startByEvent(execution, command.startEvent);
  } catch (error) {
    const failure = toStepFailureOrRethrow(error);
    execution.requests.length = 0;
    execution.events.length = 0;
    execution.refuse('inputs_invalid', `The run cannot start: ${failure.message}`);
    return;
  }
  if (command.startEvent !== undefined) return;
  for (const id of graph.scopes.get(graph.workflowId)?.noneStartEvents ?? []) {
    execution.scheduleEnter({ node: execution.node(id), scope: state.root, via: null });
  }
}
