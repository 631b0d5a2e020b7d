import type { Anthropic } from '@anthropic-ai/sdk';
import {
  type Json,
  type ModelCompletion,
  parseModelArguments,
  ModelError,
  type ModelRequest,
  sanitizeModelText,
  type ModelToolCall,
  toProviderToolName,
  type ModelUsage,
  toModelUsage,
  type ResponseInProgress,
  requireStopKind,
} from '@countersign/core/plugin';
import { toOpaque, type KeptBlock } from './replay.js';

type Event = Anthropic.Messages.RawMessageStreamEvent;
const COUNT_NAMES = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;
type Usage = Partial<Record<(typeof COUNT_NAMES)[number], number | null>>;

/** Block that is still being received. */
interface OpenBlock {
  readonly block: Record<string, Json>;
  /** Arguments so far, if the block is a call. */
  input: string;
}

const MAX_BLOCKS = 1_024;

/** Assembles a response from the events of its stream. */
export class ResponseCollector implements ResponseInProgress {
  private readonly blocks = new Map<number, OpenBlock>();
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
    if (typeof event !== 'object' || event === null) throw malformedResponse('has a part that is not an object');
    switch (event.type) {
      case 'message_start':
        if (typeof event.message?.model === 'string') this.model = event.message.model;
        this.mergeUsage(event.message?.usage);
        break;
      case 'content_block_start':
        if (this.blocks.has(event.index)) throw malformedResponse('has two blocks with the same index');
        if (this.blocks.size >= MAX_BLOCKS) throw malformedResponse(`has more than ${MAX_BLOCKS} blocks`);
        this.blocks.set(event.index, {
          block: { ...(event.content_block as unknown as Record<string, Json>) },
          input: '',
        });
        break;
      case 'content_block_delta':
        this.applyDelta(event);
        break;
      case 'message_delta':
        this.stop = event.delta?.stop_reason ?? this.stop;
        this.explanation = event.delta?.stop_details?.explanation ?? this.explanation;
        this.mergeUsage(event.usage);
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
  toResponse(): ModelCompletion {
    if (this.stop === undefined) throw malformedResponse('ended before it was complete');
    // Only used with tools that the provider itself runs, which are never offered here.
    if (this.stop === 'pause_turn') throw malformedResponse('pauses for tools of the provider, which were not offered');
    const stop = requireStopKind(this.stop);
    const texts: string[] = [];
    const calls: ModelToolCall[] = [];
    const keptBlocks = this.orderedBlocks().flatMap((openBlock): readonly KeptBlock[] => {
      if (openBlock.block.type === 'text') {
        const text = sanitizeModelText(String(openBlock.block.text ?? ''));
        texts.push(text);
        return text === '' ? [] : [{ text: text.length }];
      }
      if (REASONING_BLOCK_TYPES.has(openBlock.block.type)) return [{ kept: openBlock.block }];
      if (openBlock.block.type !== 'tool_use') throw unknownType('a block', openBlock.block.type);
      const call = toToolCall(openBlock);
      calls.push(call);
      return [{ call: call.id }];
    });
    const fullText = texts.join('');
    const base = { model: this.model ?? this.request.model, usage: this.toUsage() };
    if (stop === 'refusal')
      return { ...base, text: fullText === '' ? (this.explanation ?? null) : fullText, calls: [], stop, opaque: null };
    // If the response was cut off, none of its calls can be trusted.
    if (stop === 'length') return { ...base, text: fullText === '' ? null : fullText, calls: [], stop, opaque: null };
    if (this.stop === 'tool_use' && calls.length === 0) throw malformedResponse('reports tool calls but contains none');
    return {
      ...base,
      text: fullText === '' ? null : fullText,
      calls,
      stop: calls.length > 0 ? 'calls' : 'end',
      opaque: toOpaque(keptBlocks),
    };
  }

  getUsage(): ModelUsage | undefined {
    return this.blocks.size === 0 && Object.keys(this.usage).length === 0 ? undefined : this.toUsage();
  }

  private applyDelta({ index, delta }: Extract<Event, { type: 'content_block_delta' }>): void {
    const openBlock = this.blocks.get(index);
    if (openBlock === undefined) throw malformedResponse('continues a block that was not started');
    const appendTo = (member: string, addition: unknown) => {
      openBlock.block[member] =
        `${String(openBlock.block[member] ?? '')}${typeof addition === 'string' ? addition : ''}`;
    };
    const expectedType = delta === undefined ? undefined : BLOCK_TYPE_BY_DELTA_TYPE[delta.type];
    if (expectedType !== undefined && expectedType !== openBlock.block.type)
      throw malformedResponse(`has a part of type ${expectedType} in a block of another type`);
    switch (delta?.type) {
      case 'text_delta':
        return appendTo('text', delta.text);
      case 'thinking_delta':
        return appendTo('thinking', delta.thinking);
      case 'signature_delta':
        return appendTo('signature', delta.signature);
      case 'input_json_delta':
        openBlock.input += typeof delta.partial_json === 'string' ? delta.partial_json : '';
        return;
      case 'citations_delta':
        return;
      default:
        throw unknownType('a part of a block', (delta as { readonly type?: unknown } | undefined)?.type);
    }
  }

  private orderedBlocks(): readonly OpenBlock[] {
    return [...this.blocks].sort(([left], [right]) => left - right).map(([, openBlock]) => openBlock);
  }

  /** Merges token counts. Counts are cumulative, so the largest ones are used. */
  private mergeUsage(usage: Usage | null | undefined): void {
    for (const name of COUNT_NAMES) {
      const count = usage?.[name];
      if (Number.isSafeInteger(count)) this.usage[name] = Math.max(this.usage[name] ?? 0, count ?? 0);
    }
  }

  private toUsage(): ModelUsage {
    const {
      input_tokens: uncachedInput,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      output_tokens: output,
    } = this.usage;
    const reported = {
      inputTokens: typeof uncachedInput === 'number' ? uncachedInput + (written ?? 0) + (read ?? 0) : undefined,
      outputTokens: output ?? undefined,
      cacheReadTokens: read ?? undefined,
      cacheWriteTokens: written ?? undefined,
    };
    // Signatures of reasoning are left out: they are long but do not count as tokens.
    const outputs = this.orderedBlocks().flatMap(({ block: { text, thinking, name, input: initialInput }, input }) => [
      ...[text, thinking, name].filter((each) => typeof each === 'string'),
      input === '' ? JSON.stringify(initialInput ?? '') : input,
    ]);
    return toModelUsage(reported, this.request, outputs);
  }
}

function toToolCall({ block, input }: OpenBlock): ModelToolCall {
  const { id, name } = block;
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '')
    throw malformedResponse('has a tool call without a name or an id');
  // Without input parts, the arguments are in the start event.
  return {
    id,
    name: toProviderToolName(name),
    arguments: parseModelArguments(input === '' ? JSON.stringify(block.input ?? {}) : input),
  };
}

/** Type of the block by the type of its delta. */
const BLOCK_TYPE_BY_DELTA_TYPE: Readonly<Record<string, string>> = {
  text_delta: 'text',
  citations_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool_use',
};

/** Block types with reasoning, which must be sent back unchanged. */
const REASONING_BLOCK_TYPES: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

function unknownType(part: string, type: unknown): ModelError {
  return malformedResponse(`has ${part} of an unknown type (${JSON.stringify(type)?.slice(0, 100) ?? 'none'})`);
}

function malformedResponse(problem: string): ModelError {
  return new ModelError('model_answer_malformed', `The language model's response ${problem}.`, true);
}
