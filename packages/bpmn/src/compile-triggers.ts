import type { Trigger, Value } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { compileMessage, type MessageUsage } from './compile-messages.js';
import { compileTimer } from './compile-timers.js';
import { readLiteral, requireConstant } from './constant-values.js';
import { checkProperties } from './check-properties.js';
import { requireFormalExpression } from './expression-language.js';
import { readExtensions } from './extensions.js';
import { getElement, getTag, getString, type ModdleElement } from './moddle.js';
import { requireName } from './values.js';

/**
 * Compiles the triggers of a catching event, in the order of the model.
 *
 * @returns `undefined` if a trigger is invalid, which is recorded
 */
export function compileTriggers(
  context: CompileContext,
  elementId: string,
  definitions: readonly ModdleElement[],
  usage?: MessageUsage,
): readonly Trigger[] | undefined {
  const triggers = definitions.map((definition) => compileTrigger(context, elementId, definition, usage));
  const validTriggers = triggers.filter((trigger) => trigger !== undefined);
  return validTriggers.length === triggers.length ? validTriggers : undefined;
}

function compileTrigger(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
  usage: MessageUsage | undefined,
): Trigger | undefined {
  const tag = getTag(definition);
  if (tag !== 'timerEventDefinition')
    checkProperties(context, definition, elementId, DEFINITION_PROPERTIES.get(tag) ?? []);
  readExtensions(context, definition, elementId, new Set());
  switch (tag) {
    case 'messageEventDefinition':
      return compileMessage(context, elementId, definition, usage);
    case 'timerEventDefinition':
      return compileTimer(context, elementId, definition, usage?.startsRun);
    case 'signalEventDefinition':
      return compileSignal(context, elementId, definition, usage?.startsRun === true);
    case 'errorEventDefinition':
      return compileErrorOrEscalationTrigger(context, elementId, definition, 'error');
    case 'escalationEventDefinition':
      return compileErrorOrEscalationTrigger(context, elementId, definition, 'escalation');
    case 'conditionalEventDefinition':
      return compileCondition(context, elementId, definition);
    case 'compensateEventDefinition':
      return { kind: 'compensation' };
    case 'cancelEventDefinition':
      return { kind: 'cancel' };
    default:
      throw new Error(`unreachable: a ${tag} cannot be caught`);
  }
}

/**
 * Supported properties of each event definition of a catch event; `waitForCompletion` is only relevant for throw events
 * (BPMN 2.0, table 10.95).
 */
const DEFINITION_PROPERTIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['messageEventDefinition', ['messageRef', 'operationRef']],
  ['signalEventDefinition', ['signalRef']],
  ['errorEventDefinition', ['errorRef']],
  ['escalationEventDefinition', ['escalationRef']],
  ['conditionalEventDefinition', ['condition']],
  ['compensateEventDefinition', ['waitForCompletion']],
]);

function compileSignal(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
  startsRun: boolean,
): Trigger | undefined {
  const signalName = readSignalName(context, elementId, definition, startsRun);
  return signalName === undefined ? undefined : { kind: 'signal', signalName };
}

/** Returns the name of the signal that an event catches or throws. */
export function readSignalName(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
  mustBeConstant = false,
): Value | undefined {
  const signal = getElement(definition, 'signalRef');
  if (signal === undefined) {
    context.problems.add(elementId, 'missing_signal', 'This event has no signalRef. Set it to a bpmn:signal.');
    return undefined;
  }
  checkProperties(context, signal, elementId, ['structureRef']);
  const readName = mustBeConstant ? requireConstant : requireName;
  return readName(context, elementId, 'The signal name', getString(signal, 'name'));
}

/**
 * Compiles an error or escalation trigger. Its code must be known at deployment; without a code, the event catches any
 * error or escalation (Zeebe 8.6, ErrorEventDefinitionValidator).
 */
function compileErrorOrEscalationTrigger(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
  kind: 'error' | 'escalation',
): Trigger | undefined {
  const { label, text } = readCode(context, elementId, definition, kind);
  const code = readLiteral(context, elementId, label, text);
  return code === undefined ? undefined : { kind, code: code.value };
}

/**
 * Returns the code of the error or escalation to which a definition refers, as written. `hasReference`: whether the
 * definition has such a reference.
 */
export function readCode(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
  kind: 'error' | 'escalation',
): { readonly hasReference: boolean; readonly label: string; readonly text: string | undefined } {
  const property = `${kind}Code`;
  const element = getElement(definition, `${kind}Ref`);
  const label = `The ${property}`;
  if (element === undefined) return { hasReference: false, label, text: undefined };
  checkProperties(context, element, elementId, [property, 'structureRef']);
  return { hasReference: true, label, text: getString(element, property) };
}

function compileCondition(context: CompileContext, elementId: string, definition: ModdleElement): Trigger | undefined {
  const element = getElement(definition, 'condition');
  if (element === undefined) {
    context.problems.add(elementId, 'missing_value', 'This event waits for a condition, but the condition is missing.');
    return undefined;
  }
  const condition = requireFormalExpression(context, elementId, 'condition', element);
  return condition === undefined ? undefined : { kind: 'condition', condition };
}
