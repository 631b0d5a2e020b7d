import {
  type JsonObject,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
  modelText,
  type ModelUsage,
  modelUsage,
  type ResponseInProgress,
  type ReportedUsage,
  knownStopKind,
  stopKind,
} from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { OpenAI } from 'openai';
import { CompanionCollector } from './companions.js';
import { reportedUsage } from './reported-usage.js';
import { isThinking } from './thinking-parts.js';
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
export class AnswerCollector implements ResponseInProgress {
  private text = '';
  private refusal = '';
  model: string | undefined;
  /** Stop reasons. Some servers send one with each part. */
  private readonly reasons = new Set<string>();
  private usage: ReportedUsage = {};
  /** Characters of reasoning in content parts. */
  private thoughts = 0;
  private readonly calls: ToolCalls;
  private readonly companions = new CompanionCollector();
  private hasParts = false;
  /** The last complete message that followed the parts. */
  private repeated: Delta | undefined;
  /** Content of `text` in choices. */
  private plain = '';
  private form: 'tool_calls' | 'function_call' | undefined;

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
  count(chunk: unknown): void {
    if (typeof chunk === 'object' && chunk !== null) this.usage = reportedUsage(chunk, this.usage);
  }

  /**
   * Adds a part of the stream.
   *
   * @throws {ModelError} `model_answer_malformed`
   */
  add(chunk: Chunk): void {
    if (typeof chunk !== 'object' || chunk === null) throw malformed('has a part that is not an object');
    if (typeof chunk.model === 'string' && chunk.model !== '') this.model ??= chunk.model;
    // The last part, with the usage, has no choice. Neither has the part of a content filter before the first choice.
    const choice = Array.isArray(chunk.choices)
      ? (chunk.choices as (Chunk['choices'][number] | null)[]).find((each) => each !== null && !each.index)
      : undefined;
    if (choice === undefined || choice === null) return;
    const { delta, message, text, native_finish_reason: native } = choice as Choice;
    for (const part of [delta, message]) refuseOtherMedia(part);
    if (delta) {
      this.hasParts = true;
      this.addPartOfMessage(delta);
    }
    // Some servers send the whole message in one part; others repeat it at the end of the parts.
    if (message && !this.hasParts) this.addPartOfMessage(message);
    else if (message) this.repeated = message;
    // Some servers add this form of an older API to each part.
    if (typeof text === 'string') this.plain += text;
    const reason = reasonOf(choice.finish_reason);
    if (reason !== undefined) this.reasons.add(reason);
    // A gateway may report a normal stop although the underlying model was cut off or refused.
    const kind = typeof native === 'string' ? knownStopKind(native) : undefined;
    if (typeof native === 'string' && (kind === 'length' || kind === 'refusal')) this.reasons.add(native);
  }

  private addPartOfMessage(delta: Delta): void {
    this.addContent(delta.content);
    this.companions.add(delta);
    if (typeof delta.refusal === 'string') this.refusal += delta.refusal;
    const calls = callsOf(delta.tool_calls);
    if (calls.length > 0) this.form ??= 'tool_calls';
    // The form used before this API supported several calls. Some servers send both forms.
    else if (delta.function_call) this.form ??= 'function_call';
    if (this.form === 'tool_calls') for (const call of calls) this.calls.add(call);
    else if (delta.function_call) this.calls.add({ index: 0, function: delta.function_call });
  }

  /** Takes missing content from the complete message. */
  private addWhole(): void {
    if (this.repeated !== undefined) {
      const { content, refusal, tool_calls: calls, function_call: called, ...others } = this.repeated;
      this.addPartOfMessage({
        ...(this.text === '' ? { content } : {}),
        ...(this.refusal === '' ? { refusal } : {}),
        ...(this.calls.size === 0 ? { tool_calls: calls, function_call: called } : {}),
        ...(this.companions.isEmpty ? others : {}),
      } as Delta);
    }
    if (this.text === '' && this.refusal === '' && this.calls.size === 0) this.text = this.plain;
  }

  /**
   * Returns the assembled response.
   *
   * @throws {ModelError} `model_answer_malformed` or `model_unavailable` if the stream ended before the response did
   */
  answer(): ModelAnswer {
    if (this.reasons.size === 0) throw malformed('ended before it was complete');
    const stops = new Set([...this.reasons].map(stopKind));
    this.addWhole();
    const model = this.model ?? this.request.model;
    const said = this.text === '' ? null : modelText(this.text);
    const base = { model, opaque: null };
    // If the response was cut off, none of its calls can be trusted.
    if (stops.has('length')) return { ...base, text: said, calls: [], stop: 'length', usage: this.counted() };
    if (this.refusal !== '')
      return { ...base, text: modelText(this.refusal), calls: [], stop: 'refusal', usage: this.counted() };
    if (stops.has('refusal')) return { ...base, text: said, calls: [], stop: 'refusal', usage: this.counted() };
    const calls = this.calls.complete();
    if (calls.length === 0 && [...this.reasons].some((reason) => /tool|function/i.test(reason)))
      throw malformed('reports tool calls but contains none');
    return {
      ...base,
      text: said,
      calls: calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given })),
      // Many servers also report "stop" for tool calls.
      stop: calls.length > 0 ? 'calls' : 'end',
      usage: this.counted(),
      opaque: this.companions.kept(this.provider, calls),
    };
  }

  used(): ModelUsage | undefined {
    const isReported = Object.values(this.usage).some((count) => count !== undefined);
    return isReported || this.hasWritten() ? this.counted() : undefined;
  }

  /** Adds content: text or a list of parts. Reasoning parts do not become part of the text. */
  private addContent(content: unknown): void {
    if (typeof content === 'string') this.text += content;
    else if (Array.isArray(content)) for (const part of content) this.addPart(part);
    else if (content !== undefined && content !== null) throw malformed('has content that is neither text nor parts');
  }

  private addPart(part: unknown): void {
    if (typeof part === 'string') {
      this.text += part;
      return;
    }
    const { type = 'text', text, refusal, reference_ids: references } = (part ?? {}) as ContentPart;
    if (TEXT_PARTS.has(type) && typeof text === 'string') this.text += text;
    else if (type === 'refusal' && typeof refusal === 'string') this.refusal += refusal;
    else if (type === 'reference' && Array.isArray(references)) this.text += `[${references.join(', ')}]`;
    else if (isThinking(type)) {
      this.thoughts += JSON.stringify(part).length;
      this.companions.addPart(part as JsonObject);
    } else throw malformed(`has a part of an unknown type (${JSON.stringify(type)?.slice(0, 100) ?? ''})`);
  }

  private hasWritten(): boolean {
    return this.written().some((size) => size > 0);
  }

  private counted(): ModelUsage {
    return modelUsage(this.usage, this.request, this.written());
  }

  /** Returns the number of characters of each kind of output. */
  private written(): readonly number[] {
    return [
      Math.max(this.text.length, this.plain.length),
      this.refusal.length,
      this.calls.size,
      this.companions.size,
      this.thoughts,
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

const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'output_text']);

/**
 * Refuses images and audio. Agents can only read text, and the omitted part might be the answer.
 *
 * @throws {ModelError}
 */
function refuseOtherMedia(part: Delta | null | undefined): void {
  for (const name of ['images', 'audio']) {
    const held = (part as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    const isHeld = typeof held === 'object' && held !== null ? Object.keys(held).length > 0 : Boolean(held);
    if (isHeld) throw malformed(`has ${name}, but only text and tool calls are supported`);
  }
}

type CallParts = NonNullable<Chunk['choices'][number]['delta']['tool_calls']>;

/**
 * Returns the calls. A single call may be sent without a list.
 *
 * @throws {ModelError} if the value is not a call but might be meant as one
 */
function callsOf(given: unknown): CallParts {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) return given as CallParts;
  if (isJsonObject(given) && isJsonObject(given['function'])) return [given] as unknown as CallParts;
  throw malformed('has tool calls that are not a list');
}

/** Returns the stop reason. Some servers send an empty string or the word "null" for none. */
function reasonOf(given: string | null | undefined): string | undefined {
  return typeof given === 'string' && given !== '' && given !== 'null' ? given : undefined;
}

function malformed(what: string): ModelError {
  return new ModelError('model_answer_malformed', `The language model's response ${what}.`, true);
}
