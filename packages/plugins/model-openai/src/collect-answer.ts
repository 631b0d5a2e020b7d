import { type ModelAnswer, ModelError, type ModelRequest, modelText } from '@countersign/core/plugin';
import type { OpenAI } from 'openai';
import { ToolCalls } from './tool-calls.js';
import { estimatedTokens } from './estimate.js';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

/** Puts an answer together from the parts of its stream. What other servers leave out or say otherwise is made up for. */
export class AnswerCollector {
  private text = '';
  private refusal = '';
  private model: string | undefined;
  private finish: string | undefined;
  private usage: ModelAnswer['usage'] | undefined;
  private readonly calls: ToolCalls;

  constructor(
    private readonly request: ModelRequest,
    /** Makes ids of calls where the server gives none. */
    idempotencyKey: string,
  ) {
    this.calls = new ToolCalls(idempotencyKey);
  }

  /** Whether the server told what the answer has used. */
  get isCounted(): boolean {
    return this.usage !== undefined;
  }

  /** @throws {ModelError} `model_answer_malformed` */
  add(chunk: Chunk): void {
    if (typeof chunk !== 'object' || chunk === null) throw malformed('holds a part that is no object');
    if (typeof chunk.model === 'string' && chunk.model !== '') this.model ??= chunk.model;
    this.usage = usageOf(chunk.usage) ?? this.usage;
    // The last part, with the usage, has no choice; that of a filter in front of the first one neither.
    const choice = Array.isArray(chunk.choices)
      ? chunk.choices.find(({ index }) => index === 0 || index === undefined)
      : undefined;
    if (choice === undefined) return;
    const delta = (choice.delta ?? {}) as Partial<typeof choice.delta>;
    if (typeof delta.content === 'string') this.text += delta.content;
    if (typeof delta.refusal === 'string') this.refusal += delta.refusal;
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) this.calls.add(call);
    this.finish = reasonOf(choice.finish_reason) ?? this.finish;
  }

  /** @throws {ModelError} `model_answer_malformed`: the stream ended before the answer did */
  answer(): ModelAnswer {
    if (this.finish === undefined) throw malformed('ended before it was complete');
    const model = this.model ?? this.request.model;
    const said = this.text === '' ? null : modelText(this.text);
    const base = { model, opaque: null };
    // Of calls that were cut off, none is known to be what the model meant.
    if (this.finish === 'length') return { ...base, text: said, calls: [], stop: 'length', usage: this.counted() };
    if (this.refusal !== '')
      return { ...base, text: modelText(this.refusal), calls: [], stop: 'refusal', usage: this.counted() };
    if (this.finish === 'content_filter')
      return { ...base, text: said, calls: [], stop: 'refusal', usage: this.counted() };
    const calls = this.calls.complete();
    if (calls.length === 0 && this.finish === 'tool_calls') throw malformed('says that it calls tools, and calls none');
    // Many servers say "stop" also where they call tools.
    return { ...base, text: said, calls, stop: calls.length > 0 ? 'calls' : 'end', usage: this.counted() };
  }

  private counted(): ModelAnswer['usage'] {
    return (
      this.usage ?? {
        inputTokens: estimatedTokens([this.request.system, this.request.messages, this.request.tools]),
        outputTokens: estimatedTokens([this.text, this.refusal, this.calls.size]),
      }
    );
  }
}

/** Some servers say nothing by an empty text. */
function reasonOf(given: string | null | undefined): string | undefined {
  return typeof given === 'string' && given !== '' ? given : undefined;
}

function usageOf(given: Chunk['usage']): ModelAnswer['usage'] | undefined {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = given ?? {};
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function malformed(what: string): ModelError {
  return new ModelError('model_answer_malformed', `The model's answer ${what}.`, true);
}
