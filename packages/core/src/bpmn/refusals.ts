import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './draft-scope.js';
import { elementsOf, flagOf, tagOf, type ModdleElement } from './moddle.js';

/** Flow nodes of BPMN that this version does not execute, in words. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['subProcess', 'An embedded sub-process'],
  ['transaction', 'A transaction'],
  ['adHocSubProcess', 'An ad-hoc sub-process'],
  ['callActivity', 'A call activity'],
  ['boundaryEvent', 'A boundary event'],
  ['intermediateThrowEvent', 'An intermediate throw event'],
  ['inclusiveGateway', 'An inclusive gateway'],
  ['eventBasedGateway', 'An event-based gateway'],
  ['complexGateway', 'A complex gateway'],
  ['implicitThrowEvent', 'An implicit throw event'],
  ['choreographyTask', 'A choreography task'],
  ['callChoreography', 'A call choreography'],
  ['subChoreography', 'A sub-choreography'],
]);

const EVENT_WORDS: ReadonlyMap<string, string> = new Map([
  ['messageEventDefinition', 'message'],
  ['timerEventDefinition', 'timer'],
  ['signalEventDefinition', 'signal'],
  ['errorEventDefinition', 'error'],
  ['escalationEventDefinition', 'escalation'],
  ['compensateEventDefinition', 'compensation'],
  ['conditionalEventDefinition', 'conditional'],
  ['linkEventDefinition', 'link'],
  ['cancelEventDefinition', 'cancel'],
  ['terminateEventDefinition', 'terminate'],
]);

const POSITION_WORDS: ReadonlyMap<string, string> = new Map([
  ['startEvent', 'start event'],
  ['endEvent', 'end event'],
  ['intermediateCatchEvent', 'intermediate catch event'],
  ['intermediateThrowEvent', 'intermediate throw event'],
  ['boundaryEvent', 'boundary event'],
]);

/** Records that a flow node is not executed. What is inside of it is not looked at. */
export function refuseNode(context: CompileContext, draft: NodeDraft): undefined {
  if (POSITION_WORDS.has(draft.type)) return refuseEvent(context, draft, elementsOf(draft.element, 'eventDefinitions'));
  const isEventSubProcess = draft.type === 'subProcess' && flagOf(draft.element, 'triggeredByEvent') === true;
  const words = isEventSubProcess ? 'An event sub-process' : (WORDS.get(draft.type) ?? `The element ${draft.type}`);
  context.problems.add(draft.id, 'unsupported_element', `${words} is not executed by this version.`);
  return undefined;
}

/** Records that an event of this kind is not executed. */
export function refuseEvent(
  context: CompileContext,
  draft: NodeDraft,
  definitions: readonly ModdleElement[],
): undefined {
  const position = POSITION_WORDS.get(draft.type) ?? draft.type;
  const [only] = definitions;
  const tag = only === undefined ? '' : tagOf(only);
  const kind = definitions.length > 1 ? 'multiple' : only === undefined ? 'none' : (EVENT_WORDS.get(tag) ?? tag);
  const message = `This event (${kind} ${position}) is not executed by this version.`;
  context.problems.add(draft.id, 'unsupported_element', message);
  return undefined;
}
