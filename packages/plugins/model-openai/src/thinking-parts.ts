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
 * a text or a `summary`) or beside it (`thinking_blocks` of LiteLLM, as Anthropic gives them). They come piece by piece; pieces
 * of one type that follow each other are one part, up to its signature, which is of use only with the whole that was signed.
 */
export class ThinkingParts {
  private readonly parts: Part[] = [];

  get all(): readonly JsonObject[] {
    return this.parts;
  }

  /** Characters of those that are texts. */
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

/** Changes `open`, which is a copy of ours. */
function join(open: Part, piece: JsonObject): void {
  for (const [name, value] of Object.entries(structuredClone(piece) as Part)) {
    const before = open[name];
    if (Array.isArray(before) && Array.isArray(value)) append(before as Json[], value);
    else if (GROWING.has(name) && typeof before === 'string' && typeof value === 'string') {
      // Newer versions of LiteLLM say the whole again with the signature.
      const isWhole = before !== '' && value.startsWith(before) && isSigned(piece);
      open[name] = isWhole ? value : before + value;
    } else if (value !== null && value !== '') open[name] = value;
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
