import type { MessageTrigger, TimerTrigger } from '../domain/event-definitions.js';
import type { FlowNode } from '../domain/workflow-graph.js';
import type { CompileContext } from './compile-context.js';
import { compileMessage, compileTimer } from './compile-triggers.js';
import type { NodeDraft } from './draft-scope.js';
import { ACTIVITY_PROPERTIES, checkProperties, EVENT_PROPERTIES } from './element-rules.js';
import type { NodeBase } from '../domain/workflow-graph.js';
import type { Families } from './family.js';
import { elementsOf, tagOf, type ModdleElement } from './moddle.js';
import { refuseEvent } from './refusals.js';

/** Start and end events, intermediate catch events and receive tasks. */
export const eventFamilies: Families = new Map([
  ['startEvent', { properties: EVENT_PROPERTIES, extensions: ['zeebe:ioMapping'], compile: compileStart }],
  ['endEvent', { properties: EVENT_PROPERTIES, extensions: ['zeebe:ioMapping'], compile: compileEnd }],
  ['intermediateCatchEvent', { properties: EVENT_PROPERTIES, extensions: ['zeebe:ioMapping'], compile: compileCatch }],
  [
    'receiveTask',
    {
      properties: [...ACTIVITY_PROPERTIES, 'implementation', 'messageRef'],
      extensions: ['zeebe:ioMapping'],
      compile: compileReceive,
    },
  ],
]);

function compileStart(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  if (base.inputs.length > 0) {
    const message = 'A start event has nothing to map inputs for; map outputs, or inputs of the first task.';
    context.problems.add(base.id, 'unsupported_mapping', message);
  }
  const definitions = definitionsOf(draft);
  if (definitions.length > 0) return refuseEvent(context, draft, definitions);
  return { ...base, kind: 'startEvent', triggers: [], parallelMultiple: false, interrupting: true };
}

function compileEnd(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const definitions = definitionsOf(draft);
  const [only] = definitions;
  if (only === undefined) return { ...base, kind: 'endEvent', throws: [] };
  if (definitions.length > 1 || tagOf(only) !== 'terminateEventDefinition') {
    return refuseEvent(context, draft, definitions);
  }
  checkProperties(context, only, base.id, []);
  return { ...base, kind: 'endEvent', throws: [{ kind: 'terminate' }] };
}

function compileCatch(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const definitions = definitionsOf(draft);
  const [only] = definitions;
  if (only === undefined) {
    // BPMN 2.0, table 10.89: an intermediate event without a trigger throws; one that catches waits for something.
    context.problems.add(base.id, 'missing_event_definition', 'The intermediate catch event waits for nothing.');
    return undefined;
  }
  if (definitions.length > 1) return refuseEvent(context, draft, definitions);
  const trigger = compileTrigger(context, base.id, only);
  if (trigger === null) return refuseEvent(context, draft, definitions);
  return trigger === undefined ? undefined : { ...base, kind: 'catch', triggers: [trigger], parallelMultiple: false };
}

/** `null`: a definition that is not executed; `undefined`: one that is broken, which is recorded. */
function compileTrigger(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
): MessageTrigger | TimerTrigger | null | undefined {
  switch (tagOf(definition)) {
    case 'messageEventDefinition':
      checkProperties(context, definition, elementId, ['messageRef']);
      return compileMessage(context, elementId, definition);
    case 'timerEventDefinition':
      return compileTimer(context, elementId, definition);
    default:
      return null;
  }
}

function compileReceive(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const trigger = compileMessage(context, base.id, draft.element);
  return trigger === undefined ? undefined : { ...base, kind: 'catch', triggers: [trigger], parallelMultiple: false };
}

function definitionsOf(draft: NodeDraft): readonly ModdleElement[] {
  return elementsOf(draft.element, 'eventDefinitions');
}
