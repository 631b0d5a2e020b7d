import type { CorrelateCommand, FireTimerCommand } from '../../domain/commands.js';
import { SYSTEM_ACTOR } from '../../domain/principal.js';
import type { ElementInstance, MessageWait, TimerWait, Wait } from '../../domain/run-state.js';
import { changeApproval } from '../approvals/change-approval.js';
import { resolve } from '../approvals/resolve-approval.js';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { refuseReserved } from '../reserved-variables.js';
import { approvalWaitOf, closeWaits } from '../steps.js';
import { leaveLater } from '../tokens.js';

/** A message reaches the run: its payload becomes variables, and the token that waited moves on. */
export function correlate(execution: Execution, command: CorrelateCommand): void {
  const found = findWait(execution, (wait): wait is MessageWait => {
    return wait.kind === 'message' && wait.subscriptionId === command.subscriptionId;
  });
  if (found === undefined) {
    execution.refuse('not_waiting', 'The run does not wait for this message any more.');
    return;
  }
  if (refuseReserved(execution, command.payload, 'payload')) return;
  execution.emit(
    'message.received',
    found.instance,
    { subscriptionId: command.subscriptionId, messageName: found.wait.messageName },
    { payload: command.payload },
  );
  leaveLater(execution, closeWaits(execution, found.instance), command.payload);
}

/** A timer is due. One that is gone (somebody else was faster) has no effect. */
export function fireTimer(execution: Execution, command: FireTimerCommand): void {
  const found = findWait(execution, (wait): wait is TimerWait => {
    return wait.kind === 'timer' && wait.timerId === command.timerId;
  });
  if (found === undefined) {
    execution.refuse('not_waiting', 'The run does not wait for this timer any more.');
    return;
  }
  execution.emit('timer.fired', found.instance, {
    timerId: command.timerId,
    dueAt: new Date(found.wait.dueAt).toISOString(),
  });
  if (found.wait.purpose === 'approval') expireApproval(execution, found.instance);
  else leaveLater(execution, closeWaits(execution, found.instance), null);
}

/** Patience is over. That never approves (`approval.onTimeout`). */
function expireApproval(execution: Execution, instance: ElementInstance): void {
  const wait = approvalWaitOf(instance);
  const node = execution.node(instance.elementId);
  if (wait === undefined || node.kind !== 'userTask') return;
  if (node.approval.onTimeout === 'reject') {
    const resolution = { decision: 'reject', comment: null, actor: SYSTEM_ACTOR } as const;
    resolve(execution, instance, node, wait.approval, resolution, 'expired');
    return;
  }
  changeApproval(execution, wait.approval, 'expired', null);
  const { approvalId, round } = wait.approval;
  execution.emit('approval.expired', instance, { approvalId, round });
  const failure = new StepFailure('approval_expired', 'Nobody decided in time. Recover the run to ask again.');
  raiseIncident(execution, closeWaits(execution, instance), failure, 'enter');
}

function findWait<T extends Wait>(
  execution: Execution,
  matches: (wait: Wait) => wait is T,
): { instance: ElementInstance; wait: T } | undefined {
  for (const instance of execution.all()) {
    const wait = instance.waits?.find(matches);
    if (wait !== undefined) return { instance, wait };
  }
  return undefined;
}
