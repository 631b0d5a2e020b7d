import type { Json, ModelCompletion, ModelRequest, ModelToolCall } from '@countersign/core/plugin';
import { isSameTool, type Conversation } from './conversation.js';
import { toText, fillValues } from './fill-values.js';
import type { Instruction } from './find-next-instruction.js';
import type { ScriptedResponse } from './script.js';

/** Approximate average of tokenizers for English. Here it only matters that the count is deterministic. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Returns the response of a rule, with its data filled in.
 *
 * @throws {MissingValueError} if the rule refers to a value that does not exist
 */
export function buildScriptedResponse(response: ScriptedResponse, conversation: Conversation): ModelCompletion {
  const { request, turn } = conversation;
  const calls = response.calls.map((call, index) => ({
    id: `call_${turn}_${index + 1}`,
    name: findOfferedName(call.tool, request),
    arguments: fillValues(call.arguments, conversation),
  }));
  return buildResponse(request, responseText(response, conversation), calls, response.stop);
}

export function buildInstructionResponse(
  { id, tool, arguments: args }: Instruction,
  { request }: Conversation,
): ModelCompletion {
  return buildResponse(request, null, [{ id, name: findOfferedName(tool, request), arguments: args }]);
}

function responseText(response: ScriptedResponse, conversation: Conversation): string | null {
  if (response.output !== undefined) return JSON.stringify(fillValues(response.output, conversation));
  return response.text === undefined ? null : toText(fillValues(response.text, conversation));
}

function buildResponse(
  request: ModelRequest,
  text: string | null,
  calls: readonly ModelToolCall[],
  stop?: ModelCompletion['stop'],
): ModelCompletion {
  const { model, maxOutputTokens } = request;
  const inputTokens = estimateTokens([
    request.system,
    request.messages as unknown as Json,
    request.tools as unknown as Json,
  ]);
  const outputTokens = estimateTokens([text, calls as unknown as Json]);
  const base = { model, opaque: null };
  if (outputTokens > maxOutputTokens) {
    return {
      ...base,
      text: text?.slice(0, maxOutputTokens * CHARACTERS_PER_TOKEN) ?? null,
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

function estimateTokens(parts: readonly Json[]): number {
  const characters = parts.filter((part) => part !== null).reduce((sum: number, part) => sum + toText(part).length, 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Returns the name under which the tool is offered. A tool that is not offered is called anyway, as real models do. */
function findOfferedName(tool: string, { tools }: ModelRequest): string {
  const offeredTool = tools.find(({ name }) => name === tool) ?? tools.find(({ name }) => isSameTool(name, tool));
  return offeredTool?.name ?? tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
}
