import {
  type ElementInstance,
  type Incident,
  getResponsiblePersonId,
  toRecordedActor,
  type RecoverCommand,
  SERVICE_TAINT,
  taintAll,
} from '@countersign/model';
import { prepareAgentRecovery } from '../agents/end-agent.js';
import { activate } from '../enter.js';
import { addActingPerson } from '../contributors.js';
import type { Execution } from '../execution.js';
import { refuseReservedVariables } from '../reserved-variables.js';
import { scheduleLeave } from '../steps.js';
import { setLocalVariables } from '../variables.js';

/**
 * Recovers the failed steps after an operator has fixed the cause. They continue where they failed, and their history
 * is kept.
 */
export function* recover(execution: Execution, command: RecoverCommand): Generator<void, void> {
  const failed = execution.getInstances().filter((instance) => instance.incident !== undefined);
  const steps = command.steps === null ? undefined : new Set(command.steps);
  const selectedInstances = steps === undefined ? failed : failed.filter((each) => steps.has(each.stepId));
  if (selectedInstances.length === 0 || (steps !== undefined && selectedInstances.length < steps.size)) {
    const message =
      failed.length === 0
        ? 'No step of this run has failed.'
        : 'At least one of the requested steps has not failed. Name only failed steps.';
    execution.refuse('run_not_recoverable', message, { failedSteps: failed.map((each) => each.stepId) });
    return;
  }
  if (command.variables !== null && refuseReservedVariables(execution, command.variables, 'variables')) return;
  if (hasVariableEdits(command) && refuseEditByApprover(execution, command)) return;
  execution.emit(
    'run.recovered',
    null,
    { steps: selectedInstances.map((each) => each.stepId), variableNames: Object.keys(command.variables ?? {}) },
    { actor: { ...toRecordedActor(command.actor) }, comment: command.comment, variables: command.variables },
  );
  if (hasVariableEdits(command)) yield* editVariables(execution, command);
  for (const { key } of selectedInstances) {
    // The recovery of one step may end others, for example if an event of the current version catches its error.
    const failed = execution.find(key);
    if (failed !== undefined) yield* retryStep(execution, failed);
    yield;
  }
}

function hasVariableEdits({ variables }: RecoverCommand): boolean {
  return variables !== null && Object.keys(variables).length > 0;
}

/**
 * Refuses an edit of variables by an approver of the run: the approval is not requested again, so its approver must not
 * change the data afterwards.
 */
function refuseEditByApprover(execution: Execution, { actor }: RecoverCommand): boolean {
  const { state, context } = execution;
  const person = getResponsiblePersonId(actor);
  // Runs from before this field existed use the current mode.
  const separatedDeciders = state.separatedDeciders ?? (context.settings.separationOfDuties ? state.deciders : []);
  if (person === undefined || context.isReplay === true || !separatedDeciders.includes(person)) return false;
  execution.refuse(
    'self_approval',
    'You voted on an approval of this run, so another operator must change its variables. You can recover the run without variables.',
  );
  return true;
}

function* editVariables(execution: Execution, command: RecoverCommand): Generator<void, void> {
  const { actor, variables } = command;
  const written = variables ?? {};
  // Data that a service writes is untrusted.
  setLocalVariables(
    execution,
    execution.get(execution.state.root),
    written,
    actor.type === 'user' ? undefined : taintAll(written, [SERVICE_TAINT]),
  );
  yield* addActingPerson(execution, actor);
}

function* retryStep(execution: Execution, failed: ElementInstance): Generator<void, void> {
  const { incident, resultTaints, ...instance } = failed;
  if (incident === undefined) return;
  if (incident.phase === 'leave' || incident.phase === 'settle') {
    execution.put(instance);
    execution.emit('step.retried', instance, { phase: incident.phase, attempt: instance.attempt });
    if (incident.phase === 'leave') scheduleLeave(execution, instance, incident.result ?? null, resultTaints);
    else execution.agenda.push({ type: 'scope', key: instance.key });
    return;
  }
  const retriedInstance = execution.put({ ...instance, attempt: instance.attempt + countUsedAttempts(incident) });
  execution.emit('step.retried', retriedInstance, { phase: incident.phase, attempt: retriedInstance.attempt });
  prepareAgentRecovery(execution, retriedInstance.key, incident);
  yield* activate(execution, execution.node(retriedInstance.elementId), execution.get(retriedInstance.key), {
    event: incident.result,
    taints: resultTaints,
    hasAttachedEvents: incident.phase === 'job',
  });
}

/** Returns the attempts that an incident has used: one for a failed job, none for a step that never started. */
function countUsedAttempts(incident: Incident): number {
  return incident.phase === 'job' ? 1 : 0;
}
