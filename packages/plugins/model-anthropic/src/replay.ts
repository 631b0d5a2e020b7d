import type { Json, ModelMessage } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { Anthropic } from '@anthropic-ai/sdk';

type AssistantMessage = Extract<ModelMessage, { readonly role: 'assistant' }>;
type Param = Anthropic.Messages.ContentBlockParam;

/**
 * A block of a response, stored so that the response can be sent back unchanged: signed or thinking blocks in full,
 * calls by their id, and texts by their length. The message itself contains texts and calls.
 */
export type KeptBlock = { readonly kept: Json } | { readonly call: string } | { readonly text: number };

/** Returns the block order to store; `null` if the message implies it: text followed by calls. */
export function toOpaque(blocks: readonly KeptBlock[]): Json {
  const isNeeded = blocks.some((block, position) => 'kept' in block || ('text' in block && position > 0));
  return isNeeded ? { blocks: blocks as unknown as Json[] } : null;
}

/**
 * Returns the blocks of an earlier response. Returns an empty array for an empty response, because the API would reject
 * it.
 */
export function replayBlocks(message: AssistantMessage): readonly Param[] {
  const { text, calls } = message;
  const blocks = readKeptBlocks(message.opaque) ?? [
    ...(text === null ? [] : [{ text: text.length }]),
    ...calls.map(({ id }) => ({ call: id })),
  ];
  let offset = 0;
  return blocks.flatMap((block): readonly Param[] => {
    if ('kept' in block) return [block.kept as unknown as Param];
    if ('text' in block) {
      const part = text?.slice(offset, offset + block.text) ?? '';
      offset += block.text;
      return part.trim() === '' ? [] : [{ type: 'text', text: part }];
    }
    const call = calls.find(({ id }) => id === block.call);
    return call === undefined
      ? []
      : [{ type: 'tool_use', id: call.id, name: call.name, input: toInput(call.arguments) }];
  });
}

/** Returns the arguments as an object, which the API requires. The language model may have sent any JSON value. */
function toInput(args: Json): Json {
  return isJsonObject(args) ? args : { malformed: args };
}

function readKeptBlocks(opaque: Json): readonly KeptBlock[] | undefined {
  if (!isJsonObject(opaque) || !Array.isArray(opaque.blocks)) return undefined;
  return opaque.blocks.every((block) => isJsonObject(block)) ? (opaque.blocks as unknown as KeptBlock[]) : undefined;
}
