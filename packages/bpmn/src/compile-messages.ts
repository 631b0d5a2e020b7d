import type { MessageTrigger, Throw } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { requireConstant } from './constant-values.js';
import { checkProperties } from './check-properties.js';
import { readExtensions } from './extensions.js';
import { getElement, getTag, getString, type ModdleElement } from './moddle.js';
import { requireExpression, requireName } from './values.js';

export interface MessageUsage {
  /** Whether the message starts a run, so that its name must be known at deployment. */
  readonly startsRun: boolean;
  /** Whether the message is correlated to a run in progress, and so needs a correlation key. */
  readonly needsKey: boolean;
}

/** Compiles the message that an element waits for; `owner` has `messageRef` (an event definition or a receive task). */
export function compileMessage(
  context: CompileContext,
  elementId: string,
  owner: ModdleElement,
  { startsRun, needsKey }: MessageUsage = { startsRun: false, needsKey: true },
): MessageTrigger | undefined {
  const message = readMessage(context, elementId, owner, 'This element waits for a message, but has no messageRef.');
  if (message === undefined) return undefined;
  const name = getString(message, 'name');
  const readName = startsRun ? requireConstant : requireName;
  const messageName = readName(context, elementId, 'The message name', name);
  const subscription = readSubscription(context, elementId, message);
  if (subscription === undefined && needsKey) {
    const text =
      `Message "${name ?? ''}" has no correlation key, which identifies the run. ` +
      'Add <zeebe:subscription correlationKey="=…"/> to the extensionElements of the bpmn:message.';
    context.problems.add(elementId, 'missing_correlation_key', text);
    return undefined;
  }
  const correlationKey =
    subscription === undefined ? null : readCorrelationKey(context, elementId, message, subscription);
  if (messageName === undefined || correlationKey === undefined) return undefined;
  return { kind: 'message', messageName, correlationKey };
}

/**
 * Compiles the message that an event or a send task throws without a job. The correlation key in the
 * `zeebe:subscription` of the message is evaluated when the message is thrown; without a key, the message can only
 * start runs.
 *
 * @param owner the element with `messageRef`: an event definition or a send task
 */
export function compileMessageThrow(
  context: CompileContext,
  elementId: string,
  owner: ModdleElement,
): Extract<Throw, { readonly kind: 'message' }> | undefined {
  const missingMessageError =
    'This element throws a message, but has neither a messageRef nor a job. Set messageRef to a bpmn:message, or add <zeebe:taskDefinition type="…"/> ' +
    'to its extensionElements.';
  const message = readMessage(context, elementId, owner, missingMessageError);
  if (message === undefined) return undefined;
  const messageName = requireName(context, elementId, 'The message name', getString(message, 'name'));
  const subscription = readSubscription(context, elementId, message);
  const correlationKey =
    subscription === undefined ? null : readCorrelationKey(context, elementId, message, subscription);
  if (messageName === undefined || correlationKey === undefined) return undefined;
  return { kind: 'message', messageName, correlationKey };
}

function readMessage(
  context: CompileContext,
  elementId: string,
  owner: ModdleElement,
  missingMessageError: string,
): ModdleElement | undefined {
  const message = getElement(owner, 'messageRef');
  if (message === undefined) {
    context.problems.add(elementId, 'missing_message', missingMessageError);
    return undefined;
  }
  checkProperties(context, message, elementId, ['itemRef']);
  const operation = getElement(owner, 'operationRef');
  if (
    operation === undefined &&
    getTag(owner) === 'messageEventDefinition' &&
    getElement(message, 'itemRef') !== undefined
  ) {
    // BPMN 2.0, 10.5.5, MessageEventDefinition: operationRef "MUST be specified for executable Processes". Models for
    // Zeebe omit it. A model that declares message payloads was made for an engine that relies on operations.
    const text =
      `Message "${getString(message, 'name') ?? ''}" declares its payload (itemRef), but no operation defines how the message is exchanged. ` +
      'This engine stores every payload as variables: remove itemRef, or map the values that you need with zeebe:ioMapping.';
    context.problems.addWarning(elementId, 'message-item', text);
  }
  const exchangedMessages =
    operation === undefined ? [message] : ['inMessageRef', 'outMessageRef'].map((end) => getElement(operation, end));
  if (!exchangedMessages.includes(message)) {
    // BPMN 2.0, table 10.98: the operation must exchange this message. It has no other effect (as in Zeebe).
    const text = `The operationRef "${getString(operation ?? owner, 'name') ?? ''}" exchanges a different message than the messageRef.`;
    context.problems.add(elementId, 'message_mismatch', text);
  }
  return message;
}

function readSubscription(
  context: CompileContext,
  elementId: string,
  message: ModdleElement,
): ModdleElement | undefined {
  return readExtensions(context, message, elementId, new Set(['zeebe:subscription'])).get('zeebe:subscription');
}

function readCorrelationKey(
  context: CompileContext,
  elementId: string,
  message: ModdleElement,
  subscription: ModdleElement,
): MessageTrigger['correlationKey'] | undefined {
  const label = `correlationKey of message "${getString(message, 'name') ?? ''}"`;
  const expression = requireExpression(context, elementId, label, getString(subscription, 'correlationKey'));
  return expression === undefined ? undefined : { expression };
}
