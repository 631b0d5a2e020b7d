import type { ElementInstance } from '../domain/run-state.js';
import { withdrawApproval } from './approvals/withdraw-approval.js';
import type { Execution } from './execution.js';
import { closeWaits } from './steps.js';

/** Ends an instance before its time, and everything that it waits for. */
export function cancelInstance(execution: Execution, instance: ElementInstance, reason: string): void {
  withdrawApproval(execution, instance, reason);
  closeWaits(execution, instance);
  execution.remove(instance.key);
  execution.emit('step.cancelled', instance, { reason });
}

/** Ends all instances below the process. */
export function cancelAll(execution: Execution, reason: string): void {
  const { root } = execution.state;
  for (const instance of execution.all().sort((a, b) => a.enteredSeq - b.enteredSeq)) {
    if (instance.key !== root) cancelInstance(execution, instance, reason);
  }
  const { joins: _dropped, ...process } = execution.get(root);
  execution.put(process);
  execution.agenda.length = 0;
}
