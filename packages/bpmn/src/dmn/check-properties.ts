import { isEmptyProperty } from '../empty-elements.js';
import { listPropertyNames, getTag, type ModdleElement } from '../moddle.js';
import type { CompileContext } from './compile-context.js';

/** Attributes and children without an effect on the evaluation, allowed on any element (DMN 1.3, table 3). */
const IGNORED_PROPERTIES: ReadonlySet<string> = new Set([
  'id',
  'name',
  'label',
  'description',
  'extensionElements',
  'extensionAttribute',
  // The width of a column, stored by Camunda Modeler.
  'width',
]);

/**
 * The supported attributes and children of each element: they are evaluated, or only document the element. Everything
 * that is neither listed here nor harmless is refused, so that no part of a model is silently ignored. Types of inputs
 * and outputs are documentation: Zeebe 8.6 ignores them too.
 */
const SUPPORTED_PROPERTIES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    definitions: [
      'namespace',
      'exporter',
      'exporterVersion',
      'expressionLanguage',
      'typeLanguage',
      'drgElement',
      'artifact',
      'businessContextElement',
      'elementCollection',
      'dmnDI',
    ],
    decision: [
      'question',
      'allowedAnswers',
      'variable',
      'informationRequirement',
      'authorityRequirement',
      'supportedObjective',
      'impactedPerformanceIndicator',
      'decisionMaker',
      'decisionOwner',
      'usingProcess',
      'usingTask',
      'decisionLogic',
    ],
    informationRequirement: ['requiredDecision', 'requiredInput'],
    informationItem: ['typeRef'],
    inputData: ['variable'],
    literalExpression: ['typeRef', 'expressionLanguage', 'text'],
    unaryTests: ['typeRef', 'expressionLanguage', 'text'],
    decisionTable: [
      'typeRef',
      'input',
      'output',
      'annotation',
      'rule',
      'hitPolicy',
      'aggregation',
      'preferredOrientation',
      'outputLabel',
    ],
    inputClause: ['inputExpression', 'inputValues'],
    outputClause: ['outputValues', 'defaultOutputEntry', 'typeRef'],
    decisionRule: ['inputEntry', 'outputEntry', 'annotationEntry'],
  }).map(([tag, properties]) => [tag, new Set(properties)]),
);

const REFUSAL_REASONS: ReadonlyMap<string, string> = new Map([
  ['import', 'DMN decisions do not read other files'],
  ['itemDefinition', 'this version does not check custom types'],
  ['knowledgeRequirement', 'this version does not evaluate business knowledge models'],
  ['importedValues', 'expressions do not read other files'],
]);

/** Records every attribute and child of an element that is neither supported nor harmless. */
export function checkProperties({ problems }: CompileContext, element: ModdleElement, elementId: string | null): void {
  const tag = getTag(element);
  const known = SUPPORTED_PROPERTIES.get(tag);
  for (const property of listPropertyNames(element)) {
    if (IGNORED_PROPERTIES.has(property) || known?.has(property) === true) continue;
    if (isEmptyProperty(element, property)) continue;
    const reason = REFUSAL_REASONS.get(property) ?? 'this version does not support it';
    problems.add(elementId, 'unsupported_property', `${property} of ${tag} is not executed: ${reason}.`);
  }
}
