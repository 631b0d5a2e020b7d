import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

type Part = Record<string, Json>;

/** Types of content parts that contain reasoning. */
const THINKING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning', 'reasoning_text']);
/** Members whose text arrives in pieces. */
const GROWING: ReadonlySet<string> = new Set(['thinking', 'text', 'summary']);

export function isThinking(type: unknown): boolean {
  return THINKING.has(type);
}

/**
 * Reasoning in content parts (Mistral: `{type: 'thinking', thinking: [{type: 'text', text}]}`, others with a text or a
 * `summary`) or next to the content (`thinking_blocks` of LiteLLM, in Anthropic's format). It arrives in pieces.
 * Consecutive pieces of one type form one part, up to its signature, which is only valid for the whole signed part.
 */
export class ThinkingParts {
  private readonly parts: Part[] = [];

  get all(): readonly JsonObject[] {
    return this.parts;
  }

  /** Characters of the parts whose `thinking` is a string. */
  get size(): number {
    return this.parts.reduce((sum, { thinking }) => sum + (typeof thinking === 'string' ? thinking.length : 0), 0);
  }

  add(piece: JsonObject): void {
    const open = this.parts.at(-1);
    if (open !== undefined && continues(open, piece)) join(open, piece);
    else this.parts.push(structuredClone(piece) as Part);
  }
}

function continues(open: JsonObject, { type }: JsonObject): boolean {
  return open['type'] === type && type !== 'redacted_thinking' && open['closed'] !== true && !isSigned(open);
}

function isSigned({ signature }: JsonObject): boolean {
  return typeof signature === 'string' && signature !== '';
}

/** Appends a piece to `open`, which is our own copy. */
function join(open: Part, piece: JsonObject): void {
  for (const [name, value] of Object.entries(structuredClone(piece) as Part)) {
    const before = open[name];
    if (Array.isArray(before) && Array.isArray(value)) append(before as Json[], value);
    else if (GROWING.has(name) && typeof before === 'string' && typeof value === 'string') {
      // Newer versions of LiteLLM repeat the whole text with the signature.
      const isWhole = before !== '' && value.startsWith(before) && isSigned(piece);
      open[name] = isWhole ? value : before + value;
    } else if (value !== null && value !== '') open[name] = value;
  }
}

/** Appends pieces. The first piece may continue the last one. */
function append(before: Json[], more: readonly Json[]): void {
  const [first, ...others] = more;
  const last = before.at(-1);
  const isSame =
    isJsonObject(last) && isJsonObject(first) && typeof last['text'] === 'string' && continues(last, first);
  if (isSame) join(last as Part, first);
  else if (first !== undefined) before.push(first);
  before.push(...others);
}
