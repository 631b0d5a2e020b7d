import type { Json, JsonObject, ModelToolCall } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { ThinkingBlocks } from './thinking-blocks.js';

/**
 * What servers give with calls of tools and want back unchanged with the history, or refuse it: `extra_content` (thought
 * signatures of Gemini), `reasoning_content` (DeepSeek), `reasoning_details` (OpenRouter), `thinking_blocks` (LiteLLM) and ids
 * that are longer than ours (LiteLLM, which puts signatures into them). It is no output, and goes to the provider that gave it alone.
 */
export interface Companions {
  readonly provider: string;
  readonly message: JsonObject;
  /** By the id of the call. */
  readonly calls: Readonly<Record<string, JsonObject>>;
}

/** Members of parts of reasoning that come piece by piece. */
const GROWING = ['text', 'summary', 'data'] as const;

/** Collects them from the parts of a stream. */
export class CompanionCollector {
  /** `undefined` if there is none. An empty one is wanted back as well. */
  private reasoning: string | undefined;
  private readonly details: Record<string, Json>[] = [];
  private readonly blocks = new ThinkingBlocks();
  private extra: JsonObject | undefined;

  add(delta: object): void {
    const {
      reasoning_content: reasoning,
      reasoning_details: details,
      thinking_blocks: blocks,
      extra_content: extra,
    } = delta as Readonly<Record<string, unknown>>;
    if (typeof reasoning === 'string') this.reasoning = (this.reasoning ?? '') + reasoning;
    if (Array.isArray(details)) for (const detail of details) this.addDetail(detail);
    if (Array.isArray(blocks)) for (const block of blocks) this.blocks.add(block);
    if (isJsonObject(extra)) this.extra = { ...this.extra, ...extra };
  }

  /** Characters of what the model said to itself so far. */
  get size(): number {
    // Blocks repeat the reasoning.
    const reasoning = Math.max(this.reasoning?.length ?? 0, this.blocks.size);
    const parts = this.details.flatMap(({ text, summary }) => [text, summary]);
    return parts.reduce<number>((sum, part) => sum + String(part ?? '').length, reasoning);
  }

  /** As it is kept with the answer; `null` where there is nothing, or no call that it goes with. */
  kept(provider: string, calls: readonly (ModelToolCall & { readonly companion?: JsonObject })[]): Json {
    if (calls.length === 0) return null;
    const message: JsonObject = {
      ...(this.reasoning === undefined ? {} : { reasoning_content: this.reasoning }),
      ...(this.details.length === 0 ? {} : { reasoning_details: this.details }),
      ...(this.blocks.all.length === 0 ? {} : { thinking_blocks: this.blocks.all }),
      ...(this.extra === undefined ? {} : { extra_content: this.extra }),
    };
    const ofCalls = Object.fromEntries(
      calls.flatMap(({ id, companion }) => (companion === undefined ? [] : [[id, companion]])),
    );
    if (Object.keys(message).length + Object.keys(ofCalls).length === 0) return null;
    return { provider, message, calls: ofCalls };
  }

  /** Parts of one index and type are one, unless they have ids of their own. */
  private addDetail(detail: unknown): void {
    if (!isJsonObject(detail)) return;
    const { index, type, id } = detail;
    const open = this.details.findLast(
      (each) =>
        typeof index === 'number' &&
        each.index === index &&
        each.type === type &&
        ((each.id ?? null) === null || (id ?? null) === null || each.id === id),
    );
    if (open === undefined) {
      this.details.push({ ...detail });
      return;
    }
    for (const [name, value] of Object.entries(detail)) {
      const before = open[name];
      const grows = GROWING.some((each) => each === name) && typeof before === 'string' && typeof value === 'string';
      if (grows) open[name] = before + value;
      else if (value !== null && value !== undefined) open[name] = value;
    }
  }
}

/** What was kept with an answer, where it is of this provider. */
export function companionsOf(opaque: Json, provider: string): Companions | undefined {
  if (!isJsonObject(opaque) || opaque.provider !== provider) return undefined;
  const { message, calls } = opaque;
  return isJsonObject(message) && isJsonObject(calls)
    ? { provider, message, calls: calls as Companions['calls'] }
    : undefined;
}
