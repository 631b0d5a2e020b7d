import { isJsonObject, truncateText, type Json, type JsonObject } from '@countersign/model';

const MAX_PARTS = 4;
const MAX_VALUE_LENGTH = 60;

/** Members by which people recognize an object. */
const NAMING_MEMBERS = ['name', 'title', 'id', 'number', 'code', 'key'];

/**
 * Summarizes the inputs of an approval in one line, for BPMN models without `approval.summary`: first what changes
 * (inputs with `before` and `after`), then the first inputs that are short, such as `supplier: ACME · amount: 1200`.
 *
 * @returns an empty string if no input can be shown in a line
 */
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
  if (Object.hasOwn(value, 'before') && Object.hasOwn(value, 'after')) return summarizeChange(value);
  const name = NAMING_MEMBERS.map((member) =>
    Object.hasOwn(value, member) ? toShortText(value[member]) : undefined,
  ).find((each) => each !== undefined);
  return name === undefined ? undefined : { rank: 1, text: name };
}

/** Returns `undefined` if the values are too long for a line; the approver sees them in the approval. */
function summarizeChange({ before, after }: JsonObject): Part | undefined {
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
