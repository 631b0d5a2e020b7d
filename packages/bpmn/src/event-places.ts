import type { CompileContext } from './compile-context.js';
import { eventDefinitionsOf, type NodeDraft } from './draft-scope.js';
import { isElement, tagOf, type ModdleElement } from './moddle.js';

const EVENT_WORDS: ReadonlyMap<string, string> = new Map([
  ['messageEventDefinition', 'a message'],
  ['timerEventDefinition', 'a timer'],
  ['signalEventDefinition', 'a signal'],
  ['errorEventDefinition', 'an error'],
  ['escalationEventDefinition', 'an escalation'],
  ['compensateEventDefinition', 'compensation'],
  ['conditionalEventDefinition', 'a condition'],
  ['linkEventDefinition', 'a link'],
  ['cancelEventDefinition', 'cancellation'],
  ['terminateEventDefinition', 'termination'],
]);

interface Place {
  readonly words: string;
  /** Tags of the definitions that are allowed in this position, without `EventDefinition`. */
  readonly possible: readonly string[];
  /** The definitions among them that cannot be combined with others. */
  readonly alone: readonly string[];
}

/** The event definitions that each position allows (BPMN 2.0, table 10.93). */
const PLACES = {
  processStart: {
    words: 'a start event of a process',
    possible: ['message', 'timer', 'signal', 'conditional'],
    alone: [],
  },
  eventSubProcessStart: {
    words: 'the start event of an event sub-process',
    possible: ['message', 'timer', 'signal', 'error', 'escalation', 'compensate', 'conditional'],
    alone: ['compensate'],
  },
  catch: {
    words: 'an intermediate catch event',
    possible: ['message', 'timer', 'signal', 'conditional', 'link'],
    alone: ['link'],
  },
  boundary: {
    words: 'a boundary event',
    possible: ['message', 'timer', 'signal', 'error', 'escalation', 'compensate', 'conditional', 'cancel'],
    alone: ['compensate', 'cancel'],
  },
  throw: {
    words: 'an intermediate throw event',
    possible: ['message', 'signal', 'escalation', 'compensate', 'link'],
    alone: ['link'],
  },
  end: {
    words: 'an end event',
    possible: ['message', 'signal', 'error', 'escalation', 'compensate', 'cancel', 'terminate'],
    alone: [],
  },
} as const satisfies Record<string, Place>;

export type EventPlace = keyof typeof PLACES;

/**
 * Returns the definitions of an event, first its own, then shared ones (BPMN 2.0, 10.5.5 "eventDefinitionRefs").
 *
 * @returns `undefined` if one of them is not allowed in this position, which is recorded
 */
export function definitionsAt(
  context: CompileContext,
  draft: NodeDraft,
  place: EventPlace,
): readonly ModdleElement[] | undefined {
  const definitions = eventDefinitionsOf(draft);
  const faults = definitions
    .map((definition) => faultOf(draft, definition, PLACES[place], definitions.length))
    .filter((fault) => fault !== undefined);
  for (const fault of faults) context.problems.add(draft.id, fault.code, fault.message);
  return faults.length === 0 ? definitions : undefined;
}

function faultOf(
  draft: NodeDraft,
  definition: ModdleElement,
  place: Place,
  count: number,
): { readonly code: string; readonly message: string } | undefined {
  const tag = tagOf(definition);
  const words = EVENT_WORDS.get(tag) ?? tag;
  const kind = tag.replace('EventDefinition', '');
  if (!place.possible.includes(kind)) {
    return {
      code: 'impossible_event',
      message: `${capital(words)} is not allowed on ${place.words} (BPMN 2.0, table 10.93).`,
    };
  }
  if (count > 1 && place.alone.includes(kind)) {
    return {
      code: 'impossible_event',
      message: `${capital(words)} cannot be combined with other event definitions on ${place.words}.`,
    };
  }
  const parent = definition['$parent'];
  if (parent === draft.element || (isElement(parent) && tagOf(parent) === 'definitions')) return undefined;
  // BPMN 2.0, table 10.83: a shared definition must be a top-level one, otherwise changing one event would change
  // another.
  const message = `eventDefinitionRef refers to the definition of another event; only top-level definitions can be shared.`;
  return { code: 'invalid_definition_ref', message };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
