import { eventDefinitionsOf, type NodeDraft } from './draft-scope.js';
import { flagOf, tagOf } from './moddle.js';

/** What a flow node of a model is, whether or not it is executed. */

/** Tasks, sub-processes of all kinds, and call activities (BPMN 2.0, 10.3). */
export function isActivity(node: NodeDraft): boolean {
  return node.type.endsWith('ask') || node.type === 'callActivity' || node.inner !== undefined;
}

export function isEventSubProcess(node: NodeDraft): boolean {
  return node.inner?.kind === 'eventSubProcess';
}

export function isNoneStart(node: NodeDraft): boolean {
  return node.type === 'startEvent' && eventDefinitionsOf(node).length === 0;
}

/** Begins runs by something that happens: a start event with a trigger, or a node with `instantiate`. */
export function isTriggeredStart(node: NodeDraft): boolean {
  return (node.type === 'startEvent' && eventDefinitionsOf(node).length > 0) || isInstantiating(node);
}

/** A receive task or an event-based gateway that begins runs (BPMN 2.0, 10.3.3 and 10.6.6). */
export function isInstantiating(node: NodeDraft): boolean {
  return flagOf(node.element, 'instantiate') === true;
}

export function isCompensationHandler(node: NodeDraft): boolean {
  return flagOf(node.element, 'isForCompensation') === true;
}

export function isCompensationBoundary(node: NodeDraft): boolean {
  return node.type === 'boundaryEvent' && hasDefinition(node, 'compensateEventDefinition');
}

export function isLink(node: NodeDraft): boolean {
  return hasDefinition(node, 'linkEventDefinition');
}

function hasDefinition(node: NodeDraft, tag: string): boolean {
  return eventDefinitionsOf(node).some((definition) => tagOf(definition) === tag);
}
