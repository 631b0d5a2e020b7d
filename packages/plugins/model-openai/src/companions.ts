import type { Json, JsonObject, ModelToolCall } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { ThinkingParts } from './thinking-parts.js';

/**
 * Data that servers send with tool calls and that must be sent back unchanged with the history: `extra_content`
 * (thought signatures of Gemini), `reasoning_content` (DeepSeek), `reasoning` (vLLM, Ollama, Groq, Cerebras),
 * `reasoning_details` (OpenRouter), `thinking_blocks` and `provider_specific_fields` (LiteLLM), `reasoning_opaque` and
 * `encrypted_content`, reasoning in content parts (Mistral), and ids longer than ours (LiteLLM, which puts signatures
 * into them). This data is not output and is only sent to the provider that created it.
 */
export interface Companions {
  readonly provider: string;
  readonly message: JsonObject;
  /** Content parts that precede the text; missing in data stored by earlier versions. */
  readonly parts?: readonly JsonObject[];
  /** Companions of calls, by call id. */
  readonly calls: Readonly<Record<string, JsonObject>>;
}

/** Members with reasoning that only the server can read. */
const SEALED_MEMBERS = ['reasoning_opaque', 'encrypted_content'] as const;
/** Members of reasoning parts that arrive in pieces. */
const INCREMENTAL_MEMBERS = ['text', 'summary', 'data'] as const;

/** Collects companions from the parts of a stream. */
export class CompanionCollector {
  /** `reasoning_content`; `undefined` if absent. An empty value must be sent back too. */
  private content: string | undefined;
  /** `reasoning`. Language models without reasoning refuse an empty value (Groq). */
  private reasoning = '';
  private readonly details: Record<string, Json>[] = [];
  private readonly blocks = new ThinkingParts();
  private readonly parts = new ThinkingParts();
  private readonly signatures: Json[] = [];
  private readonly sealedMembers: Record<string, Json> = {};
  private extra: JsonObject | undefined;

  add(delta: object): void {
    const {
      reasoning_content: content,
      reasoning,
      reasoning_details: details,
      thinking_blocks: blocks,
      provider_specific_fields: specific,
      extra_content: extra,
    } = delta as Readonly<Record<string, unknown>>;
    if (typeof content === 'string') this.content = (this.content ?? '') + content;
    if (typeof reasoning === 'string') this.reasoning += reasoning;
    if (Array.isArray(details)) for (const detail of details) this.addDetail(detail);
    if (Array.isArray(blocks)) for (const block of blocks.filter(isJsonObject)) this.blocks.add(block as JsonObject);
    for (const name of SEALED_MEMBERS) {
      const sealed = (delta as Readonly<Record<string, unknown>>)[name];
      if (typeof sealed === 'string' && sealed !== '') this.sealedMembers[name] = sealed;
    }
    if (isJsonObject(extra)) this.extra = { ...this.extra, ...extra };
    // LiteLLM also sends the other members of `provider_specific_fields` in other places.
    if (isJsonObject(specific) && Array.isArray(specific['thought_signatures']))
      this.signatures.push(...(specific['thought_signatures'] as readonly Json[]));
  }

  /** Adds a reasoning part of the content. */
  addPart(part: JsonObject): void {
    this.parts.add(part);
  }

  /** Number of characters of reasoning so far, without content parts. */
  get size(): number {
    // Servers repeat the reasoning in another form, so the largest counts.
    const details = this.details.flatMap(({ text, summary }) => [text, summary]);
    return Math.max(
      this.content?.length ?? 0,
      this.reasoning.length,
      this.blocks.size,
      details.reduce<number>((sum, detail) => sum + String(detail ?? '').length, 0),
    );
  }

  /** Whether no part contained companions. */
  get isEmpty(): boolean {
    return this.parts.all.length === 0 && Object.keys(this.buildMessage()).length === 0;
  }

  /** Returns the companions to store with the response; `null` if there are none or the response has no calls. */
  toOpaque(provider: string, calls: readonly (ModelToolCall & { readonly companion?: JsonObject })[]): Json {
    if (calls.length === 0) return null;
    const message = this.buildMessage();
    const parts = this.parts.all;
    const callCompanions = Object.fromEntries(
      calls.flatMap(({ id, companion }) => (companion === undefined ? [] : [[id, companion]])),
    );
    if (Object.keys(message).length + parts.length + Object.keys(callCompanions).length === 0) return null;
    return { provider, message, parts: [...parts], calls: callCompanions };
  }

  private buildMessage(): JsonObject {
    return {
      ...(this.content === undefined ? {} : { reasoning_content: this.content }),
      // The details contain the same reasoning.
      ...(this.reasoning === '' || this.details.length > 0 ? {} : { reasoning: this.reasoning }),
      ...(this.details.length === 0 ? {} : { reasoning_details: this.details }),
      ...(this.blocks.all.length === 0 ? {} : { thinking_blocks: [...this.blocks.all] }),
      ...(this.signatures.length === 0 ? {} : { provider_specific_fields: { thought_signatures: this.signatures } }),
      ...(this.extra === undefined ? {} : { extra_content: this.extra }),
      ...this.sealedMembers,
    };
  }

  /** Adds a detail. Details with the same index and type are merged, unless their ids differ. */
  private addDetail(detail: unknown): void {
    if (!isJsonObject(detail)) return;
    const { index, type, id } = detail;
    const existing = this.details.findLast(
      (each) =>
        typeof index === 'number' &&
        each.index === index &&
        each.type === type &&
        ((each.id ?? null) === null || (id ?? null) === null || each.id === id),
    );
    if (existing === undefined) {
      this.details.push({ ...detail });
      return;
    }
    for (const [name, value] of Object.entries(detail)) {
      const previous = existing[name];
      const isIncremental =
        INCREMENTAL_MEMBERS.some((each) => each === name) && typeof previous === 'string' && typeof value === 'string';
      if (isIncremental) existing[name] = previous + value;
      else if (value !== null && value !== undefined) existing[name] = value;
    }
  }
}

/** Returns the companions stored with a response, if they are from this provider. */
export function readCompanions(opaque: Json, provider: string): Companions | undefined {
  if (!isJsonObject(opaque) || opaque.provider !== provider) return undefined;
  const { message, parts = [], calls } = opaque;
  return isJsonObject(message) && isJsonObject(calls) && Array.isArray(parts)
    ? { provider, message, parts: parts as JsonObject[], calls: calls as Companions['calls'] }
    : undefined;
}
