import type { ElementInstance, FlowNode, JsonObject } from '@countersign/model';
import { recordForCompensation } from './compensation/compensation-queue.js';
import type { Execution } from './execution.js';
import { emitsStepStarted, closeWaits, toStepIdentity } from './steps.js';

/** Removes a completed instance from the run with everything attached to it, and records how to compensate it. */
export function complete(
  execution: Execution,
  node: FlowNode,
  instance: ElementInstance,
  result: JsonObject | null,
): void {
  const instanceWithoutWaits = closeWaits(execution, instance);
  recordForCompensation(execution, node, instanceWithoutWaits);
  execution.remove(instance.key);
  const data = emitsStepStarted(node) || instance.loop !== undefined ? {} : toStepIdentity(node, instance);
  execution.emit('step.completed', instance, data, result === null ? null : { output: result });
  if (instance.undoes !== undefined)
    execution.emit('step.compensated', instance.undoes, {
      handler: instance.elementId,
      handlerStepId: instance.stepId,
    });
  if (instance.compensates !== undefined) execution.agenda.push({ type: 'compensated', key: instance.compensates });
}
