import type { Json, ModelAnswer, ModelRequest, ModelToolCall } from '@countersign/core/plugin';
import { sameTool, type Conversation } from './conversation.js';
import { asText, fillValues } from './fill-values.js';
import type { Instruction } from './obey.js';
import type { Answer } from './script.js';

/** Approximate average of tokenizers for English. Here it only matters that the count is deterministic. */
const CHARACTERS_A_TOKEN = 4;

/**
 * Returns the response of a rule, with its data filled in.
 *
 * @throws {MissingValueError}
 */
export function scriptedAnswer(answer: Answer, conversation: Conversation): ModelAnswer {
  const { request, turn } = conversation;
  const calls = answer.calls.map((call, index) => ({
    id: `call_${turn}_${index + 1}`,
    name: offeredName(call.tool, request),
    arguments: fillValues(call.arguments, conversation),
  }));
  return answered(request, textOf(answer, conversation), calls, answer.stop);
}

export function obeyed({ id, tool, arguments: given }: Instruction, { request }: Conversation): ModelAnswer {
  return answered(request, null, [{ id, name: offeredName(tool, request), arguments: given }]);
}

function textOf(answer: Answer, conversation: Conversation): string | null {
  if (answer.output !== undefined) return JSON.stringify(fillValues(answer.output, conversation));
  return answer.text === undefined ? null : asText(fillValues(answer.text, conversation));
}

function answered(
  request: ModelRequest,
  text: string | null,
  calls: readonly ModelToolCall[],
  stop?: ModelAnswer['stop'],
): ModelAnswer {
  const { model, maxOutputTokens } = request;
  const inputTokens = tokens([request.system, request.messages as unknown as Json, request.tools as unknown as Json]);
  const outputTokens = tokens([text, calls as unknown as Json]);
  const base = { model, opaque: null };
  if (outputTokens > maxOutputTokens) {
    return {
      ...base,
      text: text?.slice(0, maxOutputTokens * CHARACTERS_A_TOKEN) ?? null,
      calls: [],
      stop: 'length',
      usage: { inputTokens, outputTokens: maxOutputTokens },
    };
  }
  return {
    ...base,
    text,
    calls,
    stop: stop ?? (calls.length > 0 ? 'calls' : 'end'),
    usage: { inputTokens, outputTokens },
  };
}

function tokens(parts: readonly Json[]): number {
  const characters = parts.filter((part) => part !== null).reduce((sum: number, part) => sum + asText(part).length, 0);
  return Math.ceil(characters / CHARACTERS_A_TOKEN);
}

/** Returns the name under which the tool is offered. A tool that is not offered is called anyway, as real models do. */
function offeredName(tool: string, { tools }: ModelRequest): string {
  const offered = tools.find(({ name }) => name === tool) ?? tools.find(({ name }) => sameTool(name, tool));
  return offered?.name ?? tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
}
