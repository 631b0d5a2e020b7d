import type { Json, ModelMessage } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { Anthropic } from '@anthropic-ai/sdk';

type AssistantMessage = Extract<ModelMessage, { readonly role: 'assistant' }>;
type Param = Anthropic.Messages.ContentBlockParam;

/**
 * A block of an answer, kept to give the answer back as it was: what the API wants unchanged (thinking, signed) itself,
 * the place of a call by its id, and that of a text by its length. Texts and calls stand in the message already.
 */
export type KeptBlock = { readonly kept: Json } | { readonly call: string } | { readonly text: number };

/** What is kept of the order of blocks; `null` where the message tells as much: a text and then calls. */
export function opaqueOf(blocks: readonly KeptBlock[]): Json {
  const needed = blocks.some((block, position) => 'kept' in block || ('text' in block && position > 0));
  return needed ? { blocks: blocks as unknown as Json[] } : null;
}

/** The blocks of an answer that the model gave before. None where it was empty, which the API does not take back. */
export function replayed(message: AssistantMessage): readonly Param[] {
  const { text, calls } = message;
  const blocks = keptBlocks(message.opaque) ?? [
    ...(text === null ? [] : [{ text: text.length }]),
    ...calls.map(({ id }) => ({ call: id })),
  ];
  let at = 0;
  return blocks.flatMap((block): readonly Param[] => {
    if ('kept' in block) return [block.kept as unknown as Param];
    if ('text' in block) {
      const part = text?.slice(at, at + block.text) ?? '';
      at += block.text;
      return part.trim() === '' ? [] : [{ type: 'text', text: part }];
    }
    const call = calls.find(({ id }) => id === block.call);
    return call === undefined
      ? []
      : [{ type: 'tool_use', id: call.id, name: call.name, input: inputOf(call.arguments) }];
  });
}

/** The API insists on an object; a model may have said anything. */
function inputOf(given: Json): Json {
  return isJsonObject(given) ? given : { malformed: given };
}

function keptBlocks(opaque: Json): readonly KeptBlock[] | undefined {
  if (!isJsonObject(opaque) || !Array.isArray(opaque.blocks)) return undefined;
  return opaque.blocks.every((block) => isJsonObject(block)) ? (opaque.blocks as unknown as KeptBlock[]) : undefined;
}
