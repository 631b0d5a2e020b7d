import type { ElementInstance } from '@countersign/model';
import { withdrawApprovals } from './approvals/withdraw-approval.js';
import { restorePendingCompensations } from './compensation/compensation-queue.js';
import type { Execution } from './execution.js';
import { withdrawQuestions } from './questions/close-question.js';
import { closeWaits } from './steps.js';

/** Cancels an instance with all its descendants and waits, innermost first, as in Zeebe. */
export function* cancelInstance(
  execution: Execution,
  instance: ElementInstance,
  reason: string,
): Generator<void, void> {
  for (const each of (yield* collectSubtree(execution, instance)).reverse()) {
    cancelSingleInstance(execution, each, reason);
    yield;
  }
}

/** Cancels all instances in a scope, except the survivor if there is one. */
export function* cancelChildren(
  execution: Execution,
  scopeKey: number,
  reason: string,
  survivor?: number,
): Generator<void, void> {
  for (const child of execution.children(scopeKey)) {
    if (child.key !== survivor) yield* cancelInstance(execution, child, reason);
  }
  // The compensation handlers in progress were cancelled with the other instances.
  const { joins: _joins, resets: _resets, compensating: _stopped, ...scope } = execution.get(scopeKey);
  execution.put(scope);
  execution.dropEntries(scopeKey);
}

/**
 * Cancels all instances in a scope that continues or completes. Compensation in progress in the scope is restored, so
 * that it can run later.
 */
export function* endChildren(
  execution: Execution,
  scopeKey: number,
  reason: string,
  survivor?: number,
): Generator<void, void> {
  restorePendingCompensations(execution, scopeKey);
  yield* cancelChildren(execution, scopeKey, reason, survivor);
}

/** Cancels all instances below the process and closes the waits of the process itself. */
export function* cancelAll(execution: Execution, reason: string): Generator<void, void> {
  const { root } = execution.state;
  yield* cancelChildren(execution, root, reason);
  closeWaits(execution, execution.get(root));
  execution.dropAgenda();
}

/** Returns an instance and its descendants. Iterative, because deeply nested scopes could overflow the call stack. */
function* collectSubtree(execution: Execution, instance: ElementInstance): Generator<void, ElementInstance[]> {
  const found = [instance];
  for (let index = 0; index < found.length; index += 1) {
    const each = found[index];
    // `push(...children)` would exceed the argument limit with thousands of children.
    if (each !== undefined) for (const child of execution.children(each.key).reverse()) found.push(child);
    yield;
  }
  return found;
}

function cancelSingleInstance(execution: Execution, instance: ElementInstance, reason: string): void {
  const current = execution.get(instance.key);
  withdrawApprovals(execution, current, reason);
  withdrawQuestions(execution, current, reason);
  for (const wait of current.waits ?? []) {
    if (wait.kind === 'child') {
      const message = {
        messageId: execution.nextId(),
        kind: 'child.cancel',
        childRunId: wait.childRunId,
        reason,
      } as const;
      execution.request({ type: 'send', message });
    }
  }
  closeWaits(execution, current);
  execution.dropEntries(instance.key);
  execution.remove(instance.key);
  execution.emit('step.cancelled', instance, { reason });
}
