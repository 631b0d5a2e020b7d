import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

type Part = Record<string, Json>;

/** Types of content parts that contain reasoning. */
const THINKING_TYPES: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning', 'reasoning_text']);
/** Members whose text arrives in pieces. */
const INCREMENTAL_MEMBERS: ReadonlySet<string> = new Set(['thinking', 'text', 'summary']);

export function isThinkingType(type: unknown): boolean {
  return THINKING_TYPES.has(type);
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

  /** Number of characters in the `thinking` strings of the parts. */
  get size(): number {
    return this.parts.reduce((sum, { thinking }) => sum + (typeof thinking === 'string' ? thinking.length : 0), 0);
  }

  add(piece: JsonObject): void {
    const current = this.parts.at(-1);
    if (current !== undefined && isContinuation(current, piece)) appendPiece(current, piece);
    else this.parts.push(structuredClone(piece) as Part);
  }
}

function isContinuation(current: JsonObject, { type }: JsonObject): boolean {
  return current['type'] === type && type !== 'redacted_thinking' && current['closed'] !== true && !isSigned(current);
}

function isSigned({ signature }: JsonObject): boolean {
  return typeof signature === 'string' && signature !== '';
}

/** Appends a piece to `current`, which is our own copy. */
function appendPiece(current: Part, piece: JsonObject): void {
  for (const [name, value] of Object.entries(structuredClone(piece) as Part)) {
    const previous = current[name];
    if (Array.isArray(previous) && Array.isArray(value)) appendPieces(previous as Json[], value);
    else if (INCREMENTAL_MEMBERS.has(name) && typeof previous === 'string' && typeof value === 'string') {
      // Newer versions of LiteLLM repeat the whole text with the signature.
      const repeatsWhole = previous !== '' && value.startsWith(previous) && isSigned(piece);
      current[name] = repeatsWhole ? value : previous + value;
    } else if (value !== null && value !== '') current[name] = value;
  }
}

/** Appends pieces. The first piece may continue the last one. */
function appendPieces(pieces: Json[], added: readonly Json[]): void {
  const [first, ...others] = added;
  const last = pieces.at(-1);
  const continuesLast =
    isJsonObject(last) && isJsonObject(first) && typeof last['text'] === 'string' && isContinuation(last, first);
  if (continuesLast) appendPiece(last as Part, first);
  else if (first !== undefined) pieces.push(first);
  pieces.push(...others);
}
