import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

type Part = Record<string, Json>;

/** Types of parts of content that hold what the model says to itself. */
const THINKING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning', 'reasoning_text']);
/** Members whose text comes piece by piece. */
const GROWING: ReadonlySet<string> = new Set(['thinking', 'text', 'summary']);

export function isThinking(type: unknown): boolean {
  return THINKING.has(type);
}

/**
 * Thoughts that stand among the parts of content (Mistral: `{type: 'thinking', thinking: [{type: 'text', text}]}`, others with
 * a text or a `summary`, and a signature at the end). They come piece by piece; pieces of one type that follow each other are
 * one part, up to its signature.
 */
export class ThinkingParts {
  private readonly parts: Part[] = [];

  get all(): readonly JsonObject[] {
    return this.parts;
  }

  add(piece: JsonObject): void {
    const open = this.parts.at(-1);
    if (open !== undefined && continues(open, piece)) join(open, piece);
    else this.parts.push(structuredClone(piece) as Part);
  }
}

function continues(open: JsonObject, { type }: JsonObject): boolean {
  const isClosed = open['closed'] === true || (typeof open['signature'] === 'string' && open['signature'] !== '');
  return open['type'] === type && type !== 'redacted_thinking' && !isClosed;
}

/** Changes `open`, which is a copy of ours. */
function join(open: Part, piece: JsonObject): void {
  for (const [name, value] of Object.entries(structuredClone(piece) as Part)) {
    const before = open[name];
    if (Array.isArray(before) && Array.isArray(value)) append(before as Json[], value);
    else if (GROWING.has(name) && typeof before === 'string' && typeof value === 'string') open[name] = before + value;
    else if (value !== null && value !== '') open[name] = value;
  }
}

/** The last text continues with the first that comes. */
function append(before: Json[], more: readonly Json[]): void {
  const [first, ...others] = more;
  const last = before.at(-1);
  const isSame =
    isJsonObject(last) && isJsonObject(first) && typeof last['text'] === 'string' && continues(last, first);
  if (isSame) join(last as Part, first);
  else if (first !== undefined) before.push(first);
  before.push(...others);
}
