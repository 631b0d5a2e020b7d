import type { Halt } from '@countersign/model';
import { arrive } from './elements/arrive.js';
import type { AgendaItem, Execution } from './execution.js';
import { raiseIncident, StepFailure } from './incidents.js';
import { seedLoop } from './loops/seed-loop.js';
import { createInstance, toStepStart } from './steps.js';
import { withResultTaints } from './taint.js';

/** Raises an incident instead of executing a node that a token enters. A recovery executes it with the same event. */
export function haltOnEnter(
  execution: Execution,
  { node, scope, via, event, taints, seed }: Extract<AgendaItem, { type: 'enter' }>,
  halt: Halt,
): void {
  if (execution.find(scope) === undefined || !arrive(execution, node, scope, via)) return;
  execution.enteredCount += 1;
  const instance = createInstance(execution, node, scope, seedLoop(execution, node, scope, seed));
  execution.emit('step.started', instance, toStepStart(node, instance, via));
  raiseIncident(execution, withResultTaints(instance, taints), toStepFailure(halt), 'enter', event);
}

/** Raises an incident instead of leaving a completed step. A recovery leaves it with the same result. */
export function haltOnLeave(
  execution: Execution,
  { key, result, taints }: Extract<AgendaItem, { type: 'leave' }>,
  halt: Halt,
): void {
  const instance = execution.find(key);
  if (instance === undefined) return;
  raiseIncident(execution, withResultTaints(instance, taints), toStepFailure(halt), 'leave', result ?? undefined);
}

const toStepFailure = ({ code, message }: Halt): StepFailure => new StepFailure(code, message);
