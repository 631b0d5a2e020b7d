import {
  type CompensationThrow,
  type ElementInstance,
  type EndEvent,
  type JsonObject,
  overlayTaints,
  type StepIdentity,
  type Taints,
  type Throw,
  type ThrowNode,
  type Value,
} from '@countersign/model';
import { cancelChildren, endChildren } from '../cancel-instance.js';
import { complete } from '../complete.js';
import { compensate, collectCompensations, endTransaction, removeCompensations } from '../compensation/index.js';
import { evaluateCorrelationKey } from '../events/subscribe.js';
import { throwError, throwEscalation } from '../events/throw-errors-and-escalations.js';
import { findEventSubProcessStarts } from '../events/trigger.js';
import { collectContributors, withContributors } from '../contributors.js';
import type { Execution } from '../execution.js';
import { endWithError } from '../end-with-error.js';
import { StepFailure } from '../incidents.js';
import { evaluateName } from '../names.js';
import { reportToParent } from '../report-to-parent.js';
import { closeWaits, toStepIdentity, scheduleLeave } from '../steps.js';
import { buildEvaluationScope } from '../variables.js';

/**
 * Executes all throws of an end event or intermediate throw event in document order, and continues the token unless it
 * must wait.
 */
export function* enterThrowEvent(
  execution: Execution,
  node: EndEvent | ThrowNode,
  entered: ElementInstance,
): Generator<void, void> {
  let isWaiting = false;
  for (const each of node.throws) {
    // An earlier throw may have ended this event.
    const instance = execution.find(entered.key);
    if (instance === undefined) return;
    isWaiting = (yield* throwEvent(execution, node, instance, each)) || isWaiting;
  }
  const instance = execution.find(entered.key);
  if (instance !== undefined && !isWaiting) scheduleLeave(execution, instance, null);
}

/** @returns whether the token waits here for the throw to complete */
function* throwEvent(
  execution: Execution,
  node: EndEvent | ThrowNode,
  instance: ElementInstance,
  thrown: Throw,
): Generator<void, boolean> {
  switch (thrown.kind) {
    case 'terminate':
      if (instance.parent !== null) yield* endChildren(execution, instance.parent, 'terminated', instance.key);
      return false;
    case 'error':
      yield* throwErrorOrFail(
        execution,
        node,
        instance,
        evaluateEventName(execution, instance, thrown.code, 'error code'),
      );
      return true;
    case 'escalation':
      yield* escalate(
        execution,
        instance,
        evaluateEventName(execution, instance, thrown.code, 'escalation code'),
        {},
        undefined,
        {},
        toStepIdentity(node, instance),
      );
      return false;
    case 'signal':
      broadcastSignal(execution, evaluateEventName(execution, instance, thrown.signalName, 'signal name'), instance);
      return false;
    case 'message':
      sendMessage(execution, instance, thrown);
      return false;
    case 'compensation':
      return yield* throwCompensation(execution, node, instance, thrown);
    case 'cancel':
      yield* cancelTransaction(execution, node, instance);
      return true;
  }
}

/** Returns the payload of a thrown event: its local variables, which its input mappings created. */
function getPayload(instance: ElementInstance): JsonObject {
  return instance.variables ?? {};
}

/** Queues a signal for this run, as in Zeebe, and sends it to all other runs, which receive it after the commit. */
function broadcastSignal(execution: Execution, signalName: string, instance: ElementInstance): void {
  const [payload, taints = {}] = [getPayload(instance), instance.taints];
  // Every waiting subscription causes work in this command, so it counts towards the command's limits
  // (`assertWorkLimits` in enter.ts).
  execution.enteredCount += execution.findWaiting('signal').length;
  execution.agenda.push({ type: 'signal', signalName, payload, taints });
  execution.request({
    type: 'send',
    message: {
      messageId: execution.nextId(),
      kind: 'signal',
      signalName,
      payload,
      taints,
      ...withContributors(collectContributors(execution)),
    },
  });
}

function* throwErrorOrFail(
  execution: Execution,
  node: EndEvent | ThrowNode,
  instance: ElementInstance,
  code: string,
): Generator<void, void> {
  execution.emit('error.thrown', instance, { code, ...toStepIdentity(node, instance) });
  if (yield* throwError(execution, instance, code, getPayload(instance), instance.taints)) return;
  if (
    yield* endWithError(
      execution,
      code,
      `The error "${code}" was thrown and no event catches it.`,
      getPayload(instance),
      instance.taints,
    )
  )
    return;
  throw new StepFailure(
    'unhandled_error',
    `The error "${code}" was thrown and no event catches it. Add a boundary event or an event sub-process that catches it, and migrate the run.`,
  );
}

/**
 * Throws an escalation. If nothing catches it, it has no effect (BPMN 2.0, 10.5.1 "Escalation"); a child run reports it
 * to its parent.
 *
 * @param stepIdentity identity of the throw event, recorded here because a catching event may end the step before its
 *   completion is recorded
 */
export function* escalate(
  execution: Execution,
  instance: ElementInstance,
  code: string,
  childVariables: JsonObject = {},
  childTaints?: Taints,
  contributorsField: { readonly contributors?: readonly string[] } = {},
  stepIdentity: Partial<StepIdentity> = {},
): Generator<void, void> {
  // Only data from a child run is recorded here; the other data is already in the history of this run.
  const childData = {
    ...(Object.keys(childVariables).length === 0 ? {} : { variables: childVariables }),
    ...contributorsField,
  };
  execution.emit(
    'escalation.thrown',
    instance,
    { code, ...stepIdentity },
    Object.keys(childData).length === 0 ? null : childData,
  );
  const variables = { ...getPayload(instance), ...childVariables };
  const taints = overlayTaints(instance.taints, childVariables, childTaints);
  if (yield* throwEscalation(execution, instance, code, variables, taints)) return;
  reportToParent(execution, { kind: 'escalation', code, variables, ...(taints === undefined ? {} : { taints }) });
}

function sendMessage(
  execution: Execution,
  instance: ElementInstance,
  thrown: Extract<Throw, { kind: 'message' }>,
): void {
  const correlationKey = evaluateCorrelationKey(
    thrown.correlationKey,
    buildEvaluationScope(execution, instance),
    instance.elementId,
  );
  const messageName = evaluateEventName(execution, instance, thrown.messageName, 'message name');
  execution.request({
    type: 'send',
    message: {
      messageId: execution.nextId(),
      kind: 'message',
      messageName,
      correlationKey,
      payload: getPayload(instance),
      ...withContributors(collectContributors(execution)),
    },
  });
}

function* throwCompensation(
  execution: Execution,
  node: EndEvent | ThrowNode,
  instance: ElementInstance,
  thrown: CompensationThrow,
): Generator<void, boolean> {
  if (instance.parent === null) return false;
  const scopes = getScopesToCompensate(execution, instance.parent);
  const queue = scopes.flatMap((key) => removeCompensations(execution, key, thrown.activityRef));
  const isWaiting = thrown.waitForCompletion || node.kind === 'endEvent';
  if (isWaiting) return yield* compensate(execution, instance.key, queue, 'leave');
  yield* compensate(execution, instance.parent, queue, 'settle');
  return false;
}

/** Returns the scopes to compensate. An event sub-process also compensates the scope around it (BPMN 2.0, 10.7.1). */
function getScopesToCompensate(execution: Execution, scopeKey: number): number[] {
  const scope = execution.get(scopeKey);
  const isInEventSubProcess = execution.graph.nodes.get(scope.elementId)?.kind === 'eventSubProcess';
  return isInEventSubProcess && scope.parent !== null ? [scopeKey, scope.parent] : [scopeKey];
}

/**
 * Handles a cancel end event: cancels all other instances in the transaction, compensates its completed activities, and
 * leaves it (BPMN 2.0, 13.3.4).
 */
function* cancelTransaction(
  execution: Execution,
  node: EndEvent | ThrowNode,
  instance: ElementInstance,
): Generator<void, void> {
  const transaction = findEnclosingTransaction(execution, instance);
  if (transaction === undefined)
    throw new StepFailure('no_transaction', `"${node.id}" cancels a transaction, but is not in one.`);
  complete(execution, node, instance, null);
  const queue = collectCompensations(execution, transaction.key);
  yield* cancelChildren(execution, transaction.key, 'transaction_cancelled');
  const starts = new Set(findEventSubProcessStarts(execution, transaction).map((start) => start.id));
  closeWaits(execution, execution.get(transaction.key), (wait) => 'elementId' in wait && starts.has(wait.elementId));
  if (!(yield* compensate(execution, transaction.key, queue, 'cancelTransaction')))
    yield* endTransaction(execution, execution.get(transaction.key));
}

function findEnclosingTransaction(execution: Execution, instance: ElementInstance): ElementInstance | undefined {
  for (let key = instance.parent; key !== null;) {
    const scope = execution.get(key);
    const node = execution.graph.nodes.get(scope.elementId);
    // Cancelling one loop instance cancels the loop, because the cancel boundary event is attached to the loop.
    if (node?.kind === 'subProcess' && node.variant === 'transaction' && scope.loopCounter === undefined) return scope;
    key = scope.parent;
  }
  return undefined;
}

function evaluateEventName(execution: Execution, instance: ElementInstance, value: Value, label: string): string {
  return evaluateName(
    value,
    buildEvaluationScope(execution, instance),
    'event_invalid',
    `The ${label} of "${instance.elementId}"`,
  );
}
