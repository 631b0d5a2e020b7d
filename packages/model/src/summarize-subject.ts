import { isChange, type ChangeValue } from './change-value.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import type { ApprovalSubject } from './run-state.js';
import { truncateText } from './truncate-text.js';

const MAX_PARTS = 4;
const MAX_VALUE_LENGTH = 60;
/** Maximum number of arguments of a tool call that are named. */
const MAX_ARGUMENTS = 3;
const MAX_ARGUMENT_LENGTH = 40;

/** Members by which people recognize an object. */
const NAMING_MEMBERS = ['name', 'title', 'id', 'number', 'code', 'key'];

/**
 * Summarizes the subject of an approval in one line. For a user task: `approval.summary` of the BPMN model, or else what
 * changes (inputs with `before` and `after`) followed by the first inputs that are short, such as `supplier: ACME ·
 * amount: 1200`; empty if no input can be shown in a line. For a tool call: its first arguments, shortened, and the
 * number of the others, so that no argument goes unmentioned.
 */
export function summarizeSubject(subject: ApprovalSubject): string {
  return subject.kind === 'tool_call'
    ? summarizeArguments(subject.inputs)
    : (subject.summary ?? summarizeInputs(subject.inputs));
}

/**
 * Summarizes the arguments of a tool call. Texts are quoted like in JSON, so that no text can look like another argument.
 */
export function summarizeArguments(inputs: JsonObject): string {
  const names = Object.keys(inputs);
  const named = names
    .slice(0, MAX_ARGUMENTS)
    .map((name) => `${quoteUnlessWord(name)}: ${abbreviate(inputs[name] ?? null, MAX_ARGUMENT_LENGTH)}`);
  const otherCount = names.length - named.length;
  return [...named, ...(otherCount === 0 ? [] : [`${otherCount} more`])].join(' · ');
}

function quoteUnlessWord(name: string): string {
  return /^[\w.-]{1,30}$/.test(name) ? name : abbreviate(name, 30);
}

/**
 * Returns the beginning of the JSON text of a value, with an ellipsis if it is longer. Reads only what it returns: a
 * value may be large.
 */
function abbreviate(value: Json, length: number): string {
  if (typeof value === 'string') {
    // White space must not push the rest of a text out of view.
    const text = value.slice(0, 100 * length).replace(/\s+/g, ' ');
    return text.length <= length && value.length <= 100 * length
      ? JSON.stringify(text)
      : JSON.stringify(truncateText(`${text} `, length));
  }
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const name of isList ? value.keys() : Object.keys(value)) {
    if (text.length > length) return `${text}…`;
    const member = (value as Record<string | number, Json>)[name] ?? null;
    if (text.length > 1) text += ', ';
    text += `${isList ? '' : `${quoteUnlessWord(String(name))}: `}${abbreviate(member, length)}`;
  }
  return `${text}${isList ? ']' : '}'}`;
}

/** Summarizes the inputs of a user task without `approval.summary`. */
export function summarizeInputs(inputs: JsonObject): string {
  const parts = Object.entries(inputs).flatMap(([name, value]) => {
    const part = summarizeInput(value);
    return part === undefined ? [] : [{ ...part, text: `${toWords(name)}: ${part.text}` }];
  });
  return parts
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_PARTS)
    .map(({ text }) => text)
    .join(' · ');
}

interface Part {
  /** Lower ranks come first. Parts of the same rank keep their order. */
  readonly rank: 0 | 1 | 2;
  readonly text: string;
}

function summarizeInput(value: Json | undefined): Part | undefined {
  const text = toShortText(value);
  if (text !== undefined) return { rank: 1, text };
  if (Array.isArray(value)) return value.length === 0 ? undefined : { rank: 2, text: describeItems(value) };
  if (!isJsonObject(value)) return undefined;
  if (isChange(value)) return summarizeChange(value);
  const name = NAMING_MEMBERS.map((member) =>
    Object.hasOwn(value, member) ? toShortText(value[member]) : undefined,
  ).find((each) => each !== undefined);
  return name === undefined ? undefined : { rank: 1, text: name };
}

/** Returns `undefined` if the values are too long for a line; the approver sees them in the approval. */
function summarizeChange({ before, after }: ChangeValue): Part | undefined {
  const [from, to] = [toShortText(before) ?? (before === null ? 'none' : undefined), toShortText(after)];
  return from === undefined || to === undefined ? undefined : { rank: 0, text: `from ${from} to ${to}` };
}

function describeItems(items: readonly Json[]): string {
  const texts = items.map(toShortText);
  const joined = texts.join(', ');
  return texts.every((text) => text !== undefined) && joined.length <= MAX_VALUE_LENGTH
    ? joined
    : `${items.length} ${items.length === 1 ? 'item' : 'items'}`;
}

/** Returns a scalar as text of one line; `undefined` if there is none, or if it is a longer text. */
function toShortText(value: Json | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || text.includes('\n') || text.length > MAX_VALUE_LENGTH ? undefined : text;
}

/** Returns the words of a variable name: `invoiceNumber` and `invoice_number` become `invoice number`. */
function toWords(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim();
  return truncateText(words === words.toUpperCase() ? words : words.toLowerCase(), 40);
}
