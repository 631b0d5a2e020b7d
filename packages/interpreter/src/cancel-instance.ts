import type { ElementInstance } from '@countersign/model';
import { withdrawApprovals } from './approvals/withdraw-approval.js';
import { restorePendingCompensations } from './compensation/records.js';
import type { Execution } from './execution.js';
import { withdrawQuestions } from './questions/close-question.js';
import { closeWaits } from './steps.js';

/** Ends an instance before its time, with everything in it and everything that it waits for; inner ones first, as in Zeebe. */
export function* cancelInstance(
  execution: Execution,
  instance: ElementInstance,
  reason: string,
): Generator<void, void> {
  for (const each of (yield* withDescendants(execution, instance)).reverse()) {
    cancelOne(execution, each, reason);
    yield;
  }
}

/** Ends all that is under way in a scope, but for one instance where that is named. */
export function* cancelChildren(
  execution: Execution,
  scopeKey: number,
  reason: string,
  survivor?: number,
): Generator<void, void> {
  for (const child of execution.children(scopeKey)) {
    if (child.key !== survivor) yield* cancelInstance(execution, child, reason);
  }
  // The handlers under way ended with the rest.
  const { joins: _joins, resets: _resets, compensating: _stopped, ...scope } = execution.get(scopeKey);
  execution.put(scope);
  execution.dropEntries(scopeKey);
}

/** Ends all that is under way in a scope that goes on or completes: what was being undone there can be undone later. */
export function* endChildren(
  execution: Execution,
  scopeKey: number,
  reason: string,
  survivor?: number,
): Generator<void, void> {
  restorePendingCompensations(execution, scopeKey);
  yield* cancelChildren(execution, scopeKey, reason, survivor);
}

/** Ends all instances below the process, and what the process itself waits for. */
export function* cancelAll(execution: Execution, reason: string): Generator<void, void> {
  const { root } = execution.state;
  yield* cancelChildren(execution, root, reason);
  closeWaits(execution, execution.get(root));
  execution.dropAgenda();
}

/** Never by recursion: scopes may be nested deeper than the stack. */
function* withDescendants(execution: Execution, instance: ElementInstance): Generator<void, ElementInstance[]> {
  const found = [instance];
  for (let index = 0; index < found.length; index += 1) {
    const each = found[index];
    // `push(...children)` would exceed the argument limit with thousands of children.
    if (each !== undefined) for (const child of execution.children(each.key).reverse()) found.push(child);
    yield;
  }
  return found;
}

function cancelOne(execution: Execution, instance: ElementInstance, reason: string): void {
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
