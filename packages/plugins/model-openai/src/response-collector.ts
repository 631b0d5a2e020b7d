import {
  type JsonObject,
  type ModelCompletion,
  ModelError,
  type ModelRequest,
  sanitizeModelText,
  type ModelUsage,
  toModelUsage,
  type ResponseInProgress,
  type ReportedUsage,
  findStopKind,
  requireStopKind,
} from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { OpenAI } from 'openai';
import { CompanionCollector } from './companions.js';
import { mergeReportedUsage } from './reported-usage.js';
import { isThinkingType } from './thinking-parts.js';
import { ToolCalls } from './tool-calls.js';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Delta = Partial<Chunk['choices'][number]['delta']>;

/** A choice in the form that servers actually send. */
interface Choice {
  readonly delta?: Delta | null;
  readonly message?: Delta | null;
  readonly text?: unknown;
  /** OpenRouter: the stop reason of the underlying model. */
  readonly native_finish_reason?: unknown;
}

/** Assembles a response from the parts of its stream. Tolerates omissions and variations of other servers. */
export class ResponseCollector implements ResponseInProgress {
  private text = '';
  private refusal = '';
  model: string | undefined;
  /** Stop reasons. Some servers send one with each part. */
  private readonly reasons = new Set<string>();
  private usage: ReportedUsage = {};
  /** Number of characters of reasoning in content parts. */
  private reasoningCharacters = 0;
  private readonly calls: ToolCalls;
  private readonly companions = new CompanionCollector();
  private hasParts = false;
  /** The last complete message that followed the parts. */
  private repeatedMessage: Delta | undefined;
  /** Content of `text` in choices. */
  private plainText = '';
  private callForm: 'tool_calls' | 'function_call' | undefined;

  constructor(
    private readonly request: ModelRequest,
    /** Provider id. */
    private readonly provider: string,
    /** Used to generate call ids if the server sends none. */
    idempotencyKey: string,
  ) {
    this.calls = new ToolCalls(idempotencyKey);
  }

  /** Reads the usage from a part of any kind. */
  mergeUsage(chunk: unknown): void {
    if (typeof chunk === 'object' && chunk !== null) this.usage = mergeReportedUsage(chunk, this.usage);
  }

  /**
   * Adds a part of the stream.
   *
   * @throws {ModelError} `model_answer_malformed`
   */
  add(chunk: Chunk): void {
    if (typeof chunk !== 'object' || chunk === null) throw malformedResponse('has a part that is not an object');
    if (typeof chunk.model === 'string' && chunk.model !== '') this.model ??= chunk.model;
    // Two parts have no choice: the last part, with the usage, and the part of a content filter before the first
    // choice.
    const choice = Array.isArray(chunk.choices)
      ? (chunk.choices as (Chunk['choices'][number] | null)[]).find((each) => each !== null && !each.index)
      : undefined;
    if (choice === undefined || choice === null) return;
    const { delta, message, text, native_finish_reason: nativeReason } = choice as Choice;
    for (const part of [delta, message]) refuseOtherMedia(part);
    if (delta) {
      this.hasParts = true;
      this.addDelta(delta);
    }
    // Some servers send the whole message in one part; others repeat it at the end of the parts.
    if (message && !this.hasParts) this.addDelta(message);
    else if (message) this.repeatedMessage = message;
    // Some servers also send `text`, a field of the older Completions API, in each part.
    if (typeof text === 'string') this.plainText += text;
    const reason = readStopReason(choice.finish_reason);
    if (reason !== undefined) this.reasons.add(reason);
    // A gateway may report a normal stop although the underlying model was cut off or refused.
    const kind = typeof nativeReason === 'string' ? findStopKind(nativeReason) : undefined;
    if (typeof nativeReason === 'string' && (kind === 'length' || kind === 'refusal')) this.reasons.add(nativeReason);
  }

  private addDelta(delta: Delta): void {
    this.addContent(delta.content);
    this.companions.add(delta);
    if (typeof delta.refusal === 'string') this.refusal += delta.refusal;
    const calls = readCalls(delta.tool_calls);
    if (calls.length > 0) this.callForm ??= 'tool_calls';
    // The form used before this API supported several calls. Some servers send both forms.
    else if (delta.function_call) this.callForm ??= 'function_call';
    if (this.callForm === 'tool_calls') for (const call of calls) this.calls.add(call);
    else if (delta.function_call) this.calls.add({ index: 0, function: delta.function_call });
  }

  /** Takes missing content from the complete message. */
  private addRepeatedMessage(): void {
    if (this.repeatedMessage !== undefined) {
      const { content, refusal, tool_calls: calls, function_call: functionCall, ...others } = this.repeatedMessage;
      this.addDelta({
        ...(this.text === '' ? { content } : {}),
        ...(this.refusal === '' ? { refusal } : {}),
        ...(this.calls.size === 0 ? { tool_calls: calls, function_call: functionCall } : {}),
        ...(this.companions.isEmpty ? others : {}),
      } as Delta);
    }
    if (this.text === '' && this.refusal === '' && this.calls.size === 0) this.text = this.plainText;
  }

  /**
   * Returns the assembled response.
   *
   * @throws {ModelError} `model_answer_malformed` if the response is incomplete or contradictory; `model_unavailable`
   *   if the server, not the model, ended it
   */
  toResponse(): ModelCompletion {
    if (this.reasons.size === 0) throw malformedResponse('ended before it was complete');
    const stops = new Set([...this.reasons].map(requireStopKind));
    this.addRepeatedMessage();
    const model = this.model ?? this.request.model;
    const fullText = this.text === '' ? null : sanitizeModelText(this.text);
    const base = { model, opaque: null };
    // If the response was cut off, none of its calls can be trusted.
    if (stops.has('length')) return { ...base, text: fullText, calls: [], stop: 'length', usage: this.toUsage() };
    if (this.refusal !== '')
      return { ...base, text: sanitizeModelText(this.refusal), calls: [], stop: 'refusal', usage: this.toUsage() };
    if (stops.has('refusal')) return { ...base, text: fullText, calls: [], stop: 'refusal', usage: this.toUsage() };
    const calls = this.calls.complete();
    if (calls.length === 0 && [...this.reasons].some((reason) => /tool|function/i.test(reason)))
      throw malformedResponse('reports tool calls but contains none');
    return {
      ...base,
      text: fullText,
      calls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
      // Many servers also report "stop" for tool calls.
      stop: calls.length > 0 ? 'calls' : 'end',
      usage: this.toUsage(),
      opaque: this.companions.toOpaque(this.provider, calls),
    };
  }

  getUsage(): ModelUsage | undefined {
    const isReported = Object.values(this.usage).some((count) => count !== undefined);
    return isReported || this.hasOutput() ? this.toUsage() : undefined;
  }

  /** Adds content: text or a list of parts. Reasoning parts do not become part of the text. */
  private addContent(content: unknown): void {
    if (typeof content === 'string') this.text += content;
    else if (Array.isArray(content)) for (const part of content) this.addPart(part);
    else if (content !== undefined && content !== null)
      throw malformedResponse('has content that is neither text nor parts');
  }

  private addPart(part: unknown): void {
    if (typeof part === 'string') {
      this.text += part;
      return;
    }
    const { type = 'text', text, refusal, reference_ids: references } = (part ?? {}) as ContentPart;
    if (TEXT_PART_TYPES.has(type) && typeof text === 'string') this.text += text;
    else if (type === 'refusal' && typeof refusal === 'string') this.refusal += refusal;
    else if (type === 'reference' && Array.isArray(references)) this.text += `[${references.join(', ')}]`;
    else if (isThinkingType(type)) {
      this.reasoningCharacters += JSON.stringify(part).length;
      this.companions.addPart(part as JsonObject);
    } else throw malformedResponse(`has a part of an unknown type (${JSON.stringify(type)?.slice(0, 100) ?? ''})`);
  }

  private hasOutput(): boolean {
    return this.outputSizes().some((size) => size > 0);
  }

  private toUsage(): ModelUsage {
    return toModelUsage(this.usage, this.request, this.outputSizes());
  }

  /** Returns the number of characters of each kind of output. */
  private outputSizes(): readonly number[] {
    return [
      Math.max(this.text.length, this.plainText.length),
      this.refusal.length,
      this.calls.size,
      this.companions.size,
      this.reasoningCharacters,
    ];
  }
}

/** A content part as sent by servers of this API. */
interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly reference_ids?: unknown;
}

const TEXT_PART_TYPES: ReadonlySet<unknown> = new Set(['text', 'output_text']);

/**
 * Refuses images and audio. Agents can only process text, and the omitted media might be the essential part of the
 * response.
 *
 * @throws {ModelError} if the part contains images or audio
 */
function refuseOtherMedia(part: Delta | null | undefined): void {
  for (const name of ['images', 'audio']) {
    const media = (part as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    const hasMedia = typeof media === 'object' && media !== null ? Object.keys(media).length > 0 : Boolean(media);
    if (hasMedia) throw malformedResponse(`has ${name}, but only text and tool calls are supported`);
  }
}

type CallParts = NonNullable<Chunk['choices'][number]['delta']['tool_calls']>;

/**
 * Returns the list of calls. A single call may be sent outside a list.
 *
 * @throws {ModelError} if the value is neither a list nor a call
 */
function readCalls(value: unknown): CallParts {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as CallParts;
  if (isJsonObject(value) && isJsonObject(value['function'])) return [value] as unknown as CallParts;
  throw malformedResponse('has tool calls that are not a list');
}

/** Returns the stop reason. Some servers send an empty string or the word "null" for none. */
function readStopReason(value: string | null | undefined): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'null' ? value : undefined;
}

function malformedResponse(problem: string): ModelError {
  return new ModelError('model_answer_malformed', `The language model's response ${problem}.`, true);
}
