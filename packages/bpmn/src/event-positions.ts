import type { CompileContext } from './compile-context.js';
import { getEventDefinitions, type NodeDraft } from './scope-draft.js';
import { isElement, getTag, type ModdleElement } from './moddle.js';

const EVENT_LABELS: ReadonlyMap<string, string> = new Map([
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

interface EventPosition {
  readonly label: string;
  /** Tags of the definitions that are allowed in this position, without `EventDefinition`. */
  readonly allowed: readonly string[];
  /** The allowed definitions that cannot be combined with others. */
  readonly exclusive: readonly string[];
}

/** The event definitions that each position allows (BPMN 2.0, table 10.93). */
const EVENT_POSITIONS = {
  processStart: {
    label: 'a start event of a process',
    allowed: ['message', 'timer', 'signal', 'conditional'],
    exclusive: [],
  },
  eventSubProcessStart: {
    label: 'the start event of an event sub-process',
    allowed: ['message', 'timer', 'signal', 'error', 'escalation', 'compensate', 'conditional'],
    exclusive: ['compensate'],
  },
  catch: {
    label: 'an intermediate catch event',
    allowed: ['message', 'timer', 'signal', 'conditional', 'link'],
    exclusive: ['link'],
  },
  boundary: {
    label: 'a boundary event',
    allowed: ['message', 'timer', 'signal', 'error', 'escalation', 'compensate', 'conditional', 'cancel'],
    exclusive: ['compensate', 'cancel'],
  },
  throw: {
    label: 'an intermediate throw event',
    allowed: ['message', 'signal', 'escalation', 'compensate', 'link'],
    exclusive: ['link'],
  },
  end: {
    label: 'an end event',
    allowed: ['message', 'signal', 'error', 'escalation', 'compensate', 'cancel', 'terminate'],
    exclusive: [],
  },
} as const satisfies Record<string, EventPosition>;

export type EventPositionName = keyof typeof EVENT_POSITIONS;

/**
 * Returns the definitions of an event: first its own, then the shared ones (BPMN 2.0, 10.5.5 "eventDefinitionRefs").
 *
 * @returns `undefined` if a definition is not allowed in this position, which is recorded
 */
export function readEventDefinitions(
  context: CompileContext,
  draft: NodeDraft,
  position: EventPositionName,
): readonly ModdleElement[] | undefined {
  const definitions = getEventDefinitions(draft);
  const errors = definitions
    .map((definition) => findDefinitionError(draft, definition, EVENT_POSITIONS[position], definitions.length))
    .filter((error) => error !== undefined);
  for (const error of errors) context.problems.add(draft.id, error.code, error.message);
  return errors.length === 0 ? definitions : undefined;
}

function findDefinitionError(
  draft: NodeDraft,
  definition: ModdleElement,
  position: EventPosition,
  count: number,
): { readonly code: string; readonly message: string } | undefined {
  const tag = getTag(definition);
  const label = EVENT_LABELS.get(tag) ?? tag;
  const kind = tag.replace('EventDefinition', '');
  if (!position.allowed.includes(kind)) {
    return {
      code: 'impossible_event',
      message: `${capitalize(label)} is not allowed on ${position.label} (BPMN 2.0, table 10.93).`,
    };
  }
  if (count > 1 && position.exclusive.includes(kind)) {
    return {
      code: 'impossible_event',
      message: `${capitalize(label)} cannot be combined with other event definitions on ${position.label}.`,
    };
  }
  const parent = definition['$parent'];
  if (parent === draft.element || (isElement(parent) && getTag(parent) === 'definitions')) return undefined;
  // BPMN 2.0, table 10.83: a shared definition must be at the top level; otherwise, changing one event would change
  // another.
  const message = `eventDefinitionRef refers to the definition of another event; only top-level definitions can be shared.`;
  return { code: 'invalid_definition_ref', message };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
