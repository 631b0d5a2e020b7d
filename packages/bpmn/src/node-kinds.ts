import { getEventDefinitions, type NodeDraft } from './scope-draft.js';
import { getBoolean, getTag } from './moddle.js';

/** Classification of the flow nodes of a model, whether or not they are executed. */

/** Returns whether a node is a task, a sub-process of any kind, or a call activity (BPMN 2.0, 10.3). */
export function isActivity(node: NodeDraft): boolean {
  return node.type.endsWith('ask') || node.type === 'callActivity' || node.innerScope !== undefined;
}

export function isEventSubProcess(node: NodeDraft): boolean {
  return node.innerScope?.kind === 'eventSubProcess';
}

export function isNoneStart(node: NodeDraft): boolean {
  return node.type === 'startEvent' && getEventDefinitions(node).length === 0;
}

/** Returns whether a node starts runs on an event: a start event with a trigger, or a node with `instantiate`. */
export function isTriggeredStart(node: NodeDraft): boolean {
  return (node.type === 'startEvent' && getEventDefinitions(node).length > 0) || isInstantiating(node);
}

/**
 * Returns whether a node is a receive task or an event-based gateway that starts runs (BPMN 2.0, 10.3.3 and 10.6.6).
 */
export function isInstantiating(node: NodeDraft): boolean {
  return getBoolean(node.element, 'instantiate') === true;
}

export function isCompensationHandler(node: NodeDraft): boolean {
  return getBoolean(node.element, 'isForCompensation') === true;
}

export function isCompensationBoundary(node: NodeDraft): boolean {
  return node.type === 'boundaryEvent' && hasDefinition(node, 'compensateEventDefinition');
}

export function isLink(node: NodeDraft): boolean {
  return hasDefinition(node, 'linkEventDefinition');
}

function hasDefinition(node: NodeDraft, tag: string): boolean {
  return getEventDefinitions(node).some((definition) => getTag(definition) === tag);
}
