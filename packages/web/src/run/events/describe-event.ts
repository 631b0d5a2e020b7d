import type { JsonValue, RunEvent } from '@countersign/contract';
import { texts } from '../../texts/index.js';

/** Kind of an event, by the first part of its type. */
const KIND_BY_TOPIC: Readonly<Record<string, keyof typeof texts.runEvents.kinds>> = {
  run: 'run',
  step: 'step',
  approval: 'approval',
  question: 'question',
  agent: 'agent',
  message: 'wait',
  event: 'wait',
  signal: 'wait',
  timer: 'wait',
  condition: 'wait',
  error: 'error',
  escalation: 'error',
  artifact: 'artifact',
  child: 'child',
  decision: 'decision',
  compensation: 'undo',
  rework: 'undo',
};

export type EventKind = keyof typeof texts.runEvents.kinds;
export const EVENT_KINDS = Object.freeze(Object.keys(texts.runEvents.kinds) as EventKind[]);

/** Returns the kind of an event; `run` if its type is unknown. */
export function getEventKind({ type }: Pick<RunEvent, 'type'>): EventKind {
  const topic = type.split('.')[0] ?? '';
  return (Object.hasOwn(KIND_BY_TOPIC, topic) ? KIND_BY_TOPIC[topic] : undefined) ?? 'run';
}

/** Id and name of an element. */
export interface NamedElement {
  readonly elementId: string;
  readonly name: string | null;
}

/** Returns the names of elements by id. */
export function getElementNames(steps: readonly NamedElement[]): ReadonlyMap<string, string> {
  return new Map(steps.map(({ elementId, name }) => [elementId, name ?? elementId]));
}

const MAX_TEXT_LENGTH = 300;

/** Returns a sentence that describes an event, or its type and its step if there is no sentence for the type. */
export function describeEvent(event: RunEvent, names: ReadonlyMap<string, string>): string {
  const { type, elementId, data, erased } = event;
  const actor = getActorName(event);
  const t = texts.runEvents;
  const step = elementId === null ? t.theRun : t.quoted(names.get(elementId) ?? elementId);
  const sentence = Object.hasOwn(t.sentences, type) ? t.sentences[type] : undefined;
  if (sentence === undefined) return t.unknown(type, step);
  const has = (name: string): boolean => Object.hasOwn(data, name) && data[name] !== null && data[name] !== '';
  return sentence({
    step,
    by: actor === null ? '' : t.by(actor),
    actor: actor ?? t.someone,
    has,
    data: (name) => (has(name) ? toShortText(data[name]) : erased ? t.erased : t.missing),
  });
}

/** Returns the display name of the actor, or `null` if no authenticated user acted. */
export function getActorName({ actor, erased }: Pick<RunEvent, 'actor' | 'erased'>): string | null {
  return actor ?? (erased ? texts.runEvents.erased : null);
}

function toShortText(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
