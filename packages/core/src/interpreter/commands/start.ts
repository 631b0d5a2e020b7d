import type { StartCommand } from '../../domain/commands.js';
import { countedId } from '../../domain/ids.js';
import type { JsonObject } from '../../domain/json.js';
import { recordedActor } from '../../domain/principal.js';
import type { RunState } from '../../domain/run-state.js';
import type { WorkflowGraph } from '../../domain/workflow-graph.js';
import { subscribeEventSubProcesses } from '../elements/sub-process.js';
import type { Execution } from '../execution.js';
import { asStepFailure } from '../incidents.js';
import { refuseReserved } from '../reserved-variables.js';
import { startByEvent } from './start-by-event.js';

const ROOT_KEY = 1;

/** The state of a run before its first command. */
export function initialState(graph: WorkflowGraph, command: StartCommand, now: number): RunState {
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
        stepId: countedId(command.runId, ROOT_KEY, now),
        elementId: graph.workflowId,
        parent: null,
        enteredSeq: 0,
        enteredAt: now,
        iteration: 1,
        attempt: 1,
        variables: command.inputs,
        ...(command.inputTaints === undefined ? {} : { taints: command.inputTaints }),
      },
    },
    artifacts: {},
    risks: [],
    editors: [],
    deciders: [],
    ...(command.inputTaints === undefined ? {} : { tainted: true as const }),
  };
}

/** The event that starts a run, for a replay: what came with it may show nowhere else. */
function startedBy({ startEvent }: StartCommand): JsonObject {
  if (startEvent === undefined) return {};
  const { elementId, trigger, payload } = startEvent;
  return { startEvent: { elementId, trigger, payload } };
}

/** Starts a run at the none start events of its process (BPMN 2.0, 13.5.1). */
export function start(execution: Execution, command: StartCommand): void {
  if (refuseReserved(execution, command.inputs, 'inputs')) return;
  if (command.startEvent !== undefined && refuseReserved(execution, command.startEvent.payload, 'payload')) return;
  const { state, graph } = execution;
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
      actor: { ...recordedActor(command.actor) },
      inputs: command.inputs,
      businessKey: command.businessKey,
      ...startedBy(command),
    },
  );
  try {
    subscribeEventSubProcesses(execution, execution.get(state.root));
    if (command.startEvent !== undefined) startByEvent(execution, command.startEvent);
  } catch (error) {
    const failure = asStepFailure(error);
    execution.requests.length = 0;
    execution.events.length = 0;
    execution.refuse('inputs_invalid', `The run can't begin: ${failure.message}`);
    return;
  }
  if (command.startEvent !== undefined) return;
  for (const id of graph.scopes.get(graph.workflowId)?.noneStartEvents ?? []) {
    execution.enterLater({ node: execution.node(id), scope: state.root, via: null });
  }
}
