import type { Anthropic } from '@anthropic-ai/sdk';
import {
  type Json,
  type ModelAnswer,
  modelArguments,
  ModelError,
  type ModelRequest,
  modelText,
  type ModelToolCall,
  modelToolName,
  type ModelUsage,
  modelUsage,
  type ResponseInProgress,
  stopKind,
} from '@countersign/core/plugin';
import { opaqueOf, type KeptBlock } from './replay.js';

type Event = Anthropic.Messages.RawMessageStreamEvent;
const COUNTS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const;
type Usage = Partial<Record<(typeof COUNTS)[number], number | null>>;

/** A block that is still growing. */
interface Open {
  readonly block: Record<string, Json>;
  /** Arguments so far, if the block is a call. */
  input: string;
}

const MAX_BLOCKS = 1_024;

/** Assembles a response from the events of its stream. */
export class AnswerCollector implements ResponseInProgress {
  private readonly blocks = new Map<number, Open>();
  model: string | undefined;
  private stop: string | undefined;
  private explanation: string | undefined;
  private readonly usage: Usage = {};

  constructor(private readonly request: ModelRequest) {}

  /**
   * Adds an event of the stream.
   *
   * @throws {ModelError} `model_answer_malformed`
   */
  add(event: Event): void {
    if (typeof event !== 'object' || event === null) throw malformed('has a part that is not an object');
    switch (event.type) {
      case 'message_start':
        if (typeof event.message?.model === 'string') this.model = event.message.model;
        this.count(event.message?.usage);
        break;
      case 'content_block_start':
        if (this.blocks.has(event.index)) throw malformed('has two blocks with the same index');
        if (this.blocks.size >= MAX_BLOCKS) throw malformed(`has more than ${MAX_BLOCKS} blocks`);
        this.blocks.set(event.index, {
          block: { ...(event.content_block as unknown as Record<string, Json>) },
          input: '',
        });
        break;
      case 'content_block_delta':
        this.grow(event);
        break;
      case 'message_delta':
        this.stop = event.delta?.stop_reason ?? this.stop;
        this.explanation = event.delta?.stop_details?.explanation ?? this.explanation;
        this.count(event.usage);
        break;
      default:
      // Ends of blocks and messages, and unknown future events, contain nothing that is needed.
    }
  }

  /**
   * Returns the assembled response.
   *
   * @throws {ModelError} `model_answer_malformed` if the stream ended before the response did
   */
  answer(): ModelAnswer {
    if (this.stop === undefined) throw malformed('ended before it was complete');
    // Only used with tools that the provider itself runs, which are never offered here.
    if (this.stop === 'pause_turn') throw malformed('pauses for tools of the provider, which were not offered');
    const stop = stopKind(this.stop);
    const texts: string[] = [];
    const calls: ModelToolCall[] = [];
    const kept = this.ordered().flatMap((open): readonly KeptBlock[] => {
      if (open.block.type === 'text') {
        const text = modelText(String(open.block.text ?? ''));
        texts.push(text);
        return text === '' ? [] : [{ text: text.length }];
      }
      if (THOUGHTS.has(open.block.type)) return [{ kept: open.block }];
      if (open.block.type !== 'tool_use') throw unknown('a block', open.block.type);
      const call = callOf(open);
      calls.push(call);
      return [{ call: call.id }];
    });
    const said = texts.join('');
    const base = { model: this.model ?? this.request.model, usage: this.counted() };
    if (stop === 'refusal')
      return { ...base, text: said === '' ? (this.explanation ?? null) : said, calls: [], stop, opaque: null };
    // If the response was cut off, none of its calls can be trusted.
    if (stop === 'length') return { ...base, text: said === '' ? null : said, calls: [], stop, opaque: null };
    if (this.stop === 'tool_use' && calls.length === 0) throw malformed('reports tool calls but contains none');
    return {
      ...base,
      text: said === '' ? null : said,
      calls,
      stop: calls.length > 0 ? 'calls' : 'end',
      opaque: opaqueOf(kept),
    };
  }

  used(): ModelUsage | undefined {
    return this.blocks.size === 0 && Object.keys(this.usage).length === 0 ? undefined : this.counted();
  }

  private grow({ index, delta }: Extract<Event, { type: 'content_block_delta' }>): void {
    const open = this.blocks.get(index);
    if (open === undefined) throw malformed('continues a block that was not started');
    const append = (member: string, more: unknown) => {
      open.block[member] = `${String(open.block[member] ?? '')}${typeof more === 'string' ? more : ''}`;
    };
    const isOf = delta === undefined ? undefined : BLOCK_OF[delta.type];
    if (isOf !== undefined && isOf !== open.block.type)
      throw malformed(`has a part of type ${isOf} in a block of another type`);
    switch (delta?.type) {
      case 'text_delta':
        return append('text', delta.text);
      case 'thinking_delta':
        return append('thinking', delta.thinking);
      case 'signature_delta':
        return append('signature', delta.signature);
      case 'input_json_delta':
        open.input += typeof delta.partial_json === 'string' ? delta.partial_json : '';
        return;
      case 'citations_delta':
        return;
      default:
        throw unknown('a part of a block', (delta as { readonly type?: unknown } | undefined)?.type);
    }
  }

  private ordered(): readonly Open[] {
    return [...this.blocks].sort(([one], [other]) => one - other).map(([, open]) => open);
  }

  /** Merges token counts. Counts are cumulative, so the largest ones are used. */
  private count(usage: Usage | null | undefined): void {
    for (const name of COUNTS) {
      const count = usage?.[name];
      if (Number.isSafeInteger(count)) this.usage[name] = Math.max(this.usage[name] ?? 0, count ?? 0);
    }
  }

  private counted(): ModelUsage {
    const {
      input_tokens: fresh,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      output_tokens: output,
    } = this.usage;
    const reported = {
      inputTokens: typeof fresh === 'number' ? fresh + (written ?? 0) + (read ?? 0) : undefined,
      outputTokens: output ?? undefined,
      cacheReadTokens: read ?? undefined,
      cacheWriteTokens: written ?? undefined,
    };
    // Signatures of reasoning are left out: they are long but are not tokens.
    const said = this.ordered().flatMap(({ block: { text, thinking, name, input: whole }, input }) => [
      ...[text, thinking, name].filter((each) => typeof each === 'string'),
      input === '' ? JSON.stringify(whole ?? '') : input,
    ]);
    return modelUsage(reported, this.request, said);
  }
}

function callOf({ block, input }: Open): ModelToolCall {
  const { id, name } = block;
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '')
    throw malformed('has a tool call without a name or an id');
  // Without input parts, the arguments are in the start event.
  return {
    id,
    name: modelToolName(name),
    arguments: modelArguments(input === '' ? JSON.stringify(block.input ?? {}) : input),
  };
}

/** Block type by the type of a part. */
const BLOCK_OF: Readonly<Record<string, string>> = {
  text_delta: 'text',
  citations_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool_use',
};

/** Block types with reasoning, which must be sent back unchanged. */
const THOUGHTS: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

function unknown(what: string, type: unknown): ModelError {
  return malformed(`has ${what} of an unknown type (${JSON.stringify(type)?.slice(0, 100) ?? 'none'})`);
}

function malformed(what: string): ModelError {
  return new ModelError('model_answer_malformed', `The language model's response ${what}.`, true);
}
