import {
  type CorrelateCommand,
  type ElementInstance,
  type FireTimerCommand,
  type JsonObject,
  type MessageWait,
  type ReceiveSignalCommand,
  type SignalWait,
  SYSTEM_ACTOR,
  type Taints,
  resolveExternalTaints,
  type TimerWait,
  type Wait,
} from '@countersign/model';
import { changeApproval } from '../approvals/change-approval.js';
import { resolveApproval } from '../approvals/resolve-approval.js';
import { addContributors, toRecordedContributors } from '../contributors.js';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { refuseReservedVariables } from '../reserved-variables.js';
import { trigger } from '../events/trigger.js';
import { expireQuestion } from '../questions/expire-question.js';
import { findApprovalWait, closeWaits, isOwnWait } from '../steps.js';

/** Correlates a message with the run: its payload becomes variables, and the waiting token continues. */
export function* correlate(execution: Execution, command: CorrelateCommand): Generator<void, void> {
  const found = findWait(execution, (wait): wait is MessageWait => {
    return wait.kind === 'message' && wait.subscriptionId === command.subscriptionId;
  });
  if (found === undefined) {
    execution.refuse('not_waiting', 'The run no longer waits for this message.');
    return;
  }
  if (refuseReservedVariables(execution, command.payload, 'payload')) return;
  execution.emit(
    'message.received',
    { stepId: found.instance.stepId, elementId: found.wait.elementId },
    { subscriptionId: command.subscriptionId, messageName: found.wait.messageName },
    { payload: command.payload, ...toRecordedContributors(command) },
  );
  yield* addContributors(execution, command.contributors ?? []);
  yield* trigger(execution, found.instance, found.wait, command.payload, resolveExternalTaints(command));
}

/** Delivers a signal to the run. */
export function* receiveSignal(execution: Execution, command: ReceiveSignalCommand): Generator<void, void> {
  const found = findWait(execution, (wait): wait is SignalWait => {
    return wait.kind === 'signal' && wait.subscriptionId === command.subscriptionId;
  });
  if (found === undefined) {
    execution.refuse('not_waiting', 'The run no longer waits for this signal.');
    return;
  }
  if (refuseReservedVariables(execution, command.payload, 'payload')) return;
  const { signalName, elementId } = found.wait;
  execution.emit(
    'signal.received',
    { stepId: found.instance.stepId, elementId },
    { signalName },
    { payload: command.payload, ...toRecordedContributors(command) },
  );
  yield* addContributors(execution, command.contributors ?? []);
  yield* trigger(execution, found.instance, found.wait, command.payload, resolveExternalTaints(command));
}

/**
 * Delivers a signal thrown by the run to every subscription that the run itself has at that time. Subscriptions whose
 * trigger ends their instance (interrupting boundary events, event-based gateways) are triggered after the throwing
 * event completes, because that event may be inside the instance (in Zeebe 8.6, ending it is a separate command).
 */
export function* deliverThrownSignal(
  execution: Execution,
  signalName: string,
  payload: JsonObject,
  taints: Taints | undefined,
): Generator<void, void> {
  for (const { key } of execution.findWaiting('signal')) {
    const waits = (execution.find(key)?.waits ?? []).filter(
      (wait): wait is SignalWait => wait.kind === 'signal' && wait.signalName === signalName,
    );
    for (const { subscriptionId, elementId } of waits) {
      const event = execution.node(elementId);
      const endsInstance =
        event.kind === 'boundaryEvent'
          ? event.interrupting
          : event.kind === 'catch' && elementId !== execution.get(key).elementId;
      if (endsInstance) execution.agenda.push({ type: 'signalled', key, subscriptionId, payload, taints });
      else yield* triggerSignalSubscription(execution, key, subscriptionId, payload, taints);
    }
    yield;
  }
}

/** Triggers a subscription to a signal that the run has thrown, unless an earlier trigger has ended it. */
export function* triggerSignalSubscription(
  execution: Execution,
  key: number,
  subscriptionId: string,
  payload: JsonObject,
  taints: Taints | undefined,
): Generator<void, void> {
  const instance = execution.find(key);
  const wait = instance?.waits?.find(
    (each): each is SignalWait => each.kind === 'signal' && each.subscriptionId === subscriptionId,
  );
  if (instance === undefined || wait === undefined) return;
  execution.emit(
    'signal.received',
    { stepId: instance.stepId, elementId: wait.elementId },
    { signalName: wait.signalName },
    { payload },
  );
  yield* trigger(execution, instance, wait, payload, taints);
}

/** Fires a due timer. The command is refused if the timer no longer exists, because another event occurred first. */
export function* fireTimer(execution: Execution, command: FireTimerCommand): Generator<void, void> {
  const found = findWait(execution, (wait): wait is TimerWait => {
    return wait.kind === 'timer' && wait.timerId === command.timerId;
  });
  if (found === undefined) {
    execution.refuse('not_waiting', 'The run no longer waits for this timer.');
    return;
  }
  execution.emit(
    'timer.fired',
    { stepId: found.instance.stepId, elementId: found.wait.elementId },
    {
      timerId: command.timerId,
      dueAt: new Date(found.wait.dueAt).toISOString(),
    },
  );
  if (found.wait.purpose === 'approval') yield* expireApproval(execution, found.instance);
  else if (found.wait.purpose === 'question') yield* expireQuestion(execution, found.wait);
  else yield* trigger(execution, found.instance, found.wait, {});
}

/** Handles an approval whose due date has passed. A timeout never approves (see `approval.onTimeout`). */
function* expireApproval(execution: Execution, instance: ElementInstance): Generator<void, void> {
  const wait = findApprovalWait(instance);
  const node = execution.node(instance.elementId);
  if (wait === undefined || node.kind !== 'userTask') return;
  if (node.approval.onTimeout === 'reject') {
    const resolution = { decision: 'reject', comment: null, actor: SYSTEM_ACTOR } as const;
    yield* resolveApproval(execution, instance, node, wait.approval, resolution, 'expired');
    return;
  }
  changeApproval(execution, wait.approval, 'expired', null);
  const { approvalId, round } = wait.approval;
  execution.emit('approval.expired', instance, { approvalId, round });
  const failure = new StepFailure(
    'approval_expired',
    'The approval was not decided in time. Recover the run to request it again.',
  );
  // Events attached to the step keep waiting, so the BPMN model can still react.
  raiseIncident(
    execution,
    closeWaits(execution, instance, (each) => isOwnWait(instance, each)),
    failure,
    'job',
  );
}

function findWait<T extends Wait>(
  execution: Execution,
  matches: (wait: Wait) => wait is T,
): { instance: ElementInstance; wait: T } | undefined {
  for (const instance of execution.getInstances()) {
    const wait = instance.waits?.find(matches);
    if (wait !== undefined) return { instance, wait };
  }
  return undefined;
}
