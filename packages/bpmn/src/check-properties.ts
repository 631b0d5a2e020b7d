import type { FileContext } from './compile-context.js';
import { isEmptyProperty } from './empty-elements.js';
import { getElements, getId, listPropertyNames, getTag, getString, type ModdleElement } from './moddle.js';

/**
 * Attributes and children of the BPMN schema without an effect on the execution, allowed on any element. Everything
 * that is neither listed here nor executed by the element's compiler is refused, so that no part of a model is silently
 * ignored.
 */
const IGNORED_PROPERTIES: ReadonlySet<string> = new Set([
  'id',
  'name',
  'documentation',
  'extensionElements',
  'auditing',
  'monitoring',
  'categoryValueRef',
  'lanes',
  // Attributes in which Camunda Modeler records the template of an element.
  'modelerTemplate',
  'modelerTemplateVersion',
  'modelerTemplateIcon',
]);

const FLOW_NODE_PROPERTIES = ['incoming', 'outgoing'];

/**
 * Properties of activities. `default` is checked with the flows; loops and compensation in compile-loops.ts and
 * compensation.ts; `properties` have no effect without a mapping (Camunda Modeler writes them as ends of data
 * associations); data associations are checked below. `boundaryEventRefs` duplicate the boundary events.
 */
export const ACTIVITY_PROPERTIES = [
  ...FLOW_NODE_PROPERTIES,
  'default',
  'loopCharacteristics',
  'isForCompensation',
  'boundaryEventRefs',
  'properties',
  'dataInputAssociations',
  'dataOutputAssociations',
];
export const GATEWAY_PROPERTIES = [...FLOW_NODE_PROPERTIES, 'gatewayDirection'];
export const EVENT_PROPERTIES = [...FLOW_NODE_PROPERTIES, 'properties', 'eventDefinitions', 'eventDefinitionRef'];
export const CATCH_PROPERTIES = [...EVENT_PROPERTIES, 'parallelMultiple'];

/** Attributes that are allowed on any element with the listed value, which has no effect. */
const NEUTRAL_VALUES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['isForCompensation', false],
  ['startQuantity', 1],
  ['completionQuantity', 1],
  ['instantiate', false],
  ['triggeredByEvent', false],
]);

const QUANTITY_PROPERTIES: ReadonlySet<string> = new Set(['startQuantity', 'completionQuantity']);

const REFUSAL_REASONS: ReadonlyMap<string, string> = new Map([
  ['startQuantity', 'an activity starts with one token'],
  ['completionQuantity', 'an activity ends with one token'],
  ['ioSpecification', 'data inputs and outputs are not executed; use zeebe:ioMapping'],
  ['ioBinding', 'bindings of data to operations are not executed'],
  ['resources', 'resource roles are not executed; use zeebe:assignmentDefinition'],
  ['loopDataInputRef', 'use zeebe:loopCharacteristics'],
  ['loopDataOutputRef', 'use zeebe:loopCharacteristics'],
  ['inputDataItem', 'use zeebe:loopCharacteristics'],
  ['outputDataItem', 'use zeebe:loopCharacteristics'],
  ['complexBehaviorDefinition', 'completed instances throw no events'],
  ['noneBehaviorEventRef', 'completed instances throw no events'],
  ['oneBehaviorEventRef', 'completed instances throw no events'],
  ['operationRef', 'operations of interfaces are not called; use zeebe:taskDefinition'],
  ['dataInputs', 'data of events is not mapped; use zeebe:ioMapping'],
  ['dataOutputs', 'data of events is not mapped; use zeebe:ioMapping'],
  ['dataInputAssociations', 'data of events is not mapped; use zeebe:ioMapping'],
  ['dataOutputAssociations', 'data of events is not mapped; use zeebe:ioMapping'],
  ['correlationSubscriptions', 'use zeebe:subscription for correlation'],
  ['correlationKeys', 'use zeebe:subscription for correlation'],
  ['renderings', 'renderings are not shown'],
  ['extensionDefinitions', 'extensions must not be required for execution'],
]);

/** Records every attribute and child of an element that is neither supported nor harmless. */
export function checkProperties(
  context: FileContext,
  element: ModdleElement,
  ownerId: string | null,
  supportedProperties: Iterable<string>,
): void {
  const known = new Set(supportedProperties);
  for (const property of listPropertyNames(element)) {
    if (IGNORED_PROPERTIES.has(property) || known.has(property)) continue;
    if (NEUTRAL_VALUES.has(property) && NEUTRAL_VALUES.get(property) === element[property]) continue;
    const value = element[property];
    if (QUANTITY_PROPERTIES.has(property) && typeof value === 'number' && value < 1) {
      const message = `${property} of ${getTag(element)} is ${value}; it must be at least 1 (BPMN 2.0, table 10.3).`;
      context.problems.add(ownerId, 'invalid_quantity', message);
      continue;
    }
    if (isEmptyProperty(element, property)) continue;
    const reason = REFUSAL_REASONS.get(property) ?? 'this version does not support it';
    const message = `${property} of ${getTag(element)} is not executed: ${reason}.`;
    context.problems.add(ownerId, 'unsupported_property', message);
  }
  checkDocumentation(context, element, ownerId);
  for (const list of ['dataInputAssociations', 'dataOutputAssociations']) {
    if (known.has(list)) checkDataAssociations(context, getElements(element, list), ownerId);
  }
}

/** Checks that the format of documentation is a MIME type (BPMN 2.0, table 8.5). */
function checkDocumentation(context: FileContext, element: ModdleElement, ownerId: string | null): void {
  for (const documentation of getElements(element, 'documentation')) {
    const format = getString(documentation, 'textFormat');
    if (format === undefined || /^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/.test(format.trim())) continue;
    const message = `textFormat "${format}" of the documentation is not a MIME type, such as text/plain.`;
    context.problems.add(ownerId, 'invalid_text_format', message);
  }
}

/**
 * Checks data associations. An association between an activity and a data object is documentation, because all data are
 * variables of the run (as in Zeebe). An association with a transformation or an assignment would change data (BPMN
 * 2.0, 10.4.2), so it is recorded.
 */
function checkDataAssociations(
  context: FileContext,
  associations: readonly ModdleElement[],
  ownerId: string | null,
): void {
  for (const association of associations) {
    if (isEmptyProperty(association, 'transformation') && isEmptyProperty(association, 'assignment')) continue;
    const message = `${getTag(association)} with a transformation or an assignment is not executed; use zeebe:ioMapping.`;
    context.problems.add(getId(association) ?? ownerId, 'unsupported_property', message);
  }
}
