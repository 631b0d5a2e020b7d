import type { Anthropic } from '@anthropic-ai/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { type ModelMessage, type ModelRequest, EMPTY_COMPLETION_TEXT } from '@countersign/core/plugin';
import type { AnthropicSettings } from './configuration.js';
import { fitsOutputFormat } from './output-format.js';
import { replayBlocks } from './replay.js';

type Wire = Anthropic.Messages.MessageCreateParamsStreaming;

/** No language model caches prompts below about a thousand tokens. */
const MIN_CACHED_CHARACTERS = 4_096;

/** Converts a request to the format of the Messages API. */
export function toWireRequest(request: ModelRequest, settings: AnthropicSettings): Wire {
  const { model, messages, tools, maxOutputTokens, outputSchema } = request;
  const usesFormat =
    outputSchema !== null && settings.StructuredOutputs === 'json_schema' && fitsOutputFormat(outputSchema);
  return {
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    ...buildSystem(request, settings, usesFormat),
    messages: messages.flatMap(toWireMessages),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            input_schema: { ...inputSchema, type: 'object' as const },
          })),
        }),
    ...(usesFormat
      ? { output_config: { format: { type: 'json_schema', schema: transformJSONSchema(outputSchema) } } }
      : {}),
  };
}

/**
 * Returns the system prompt, with a mark to cache everything up to it, including tools. Caching pays off from the
 * second turn.
 */
function buildSystem(
  { system, tools, outputSchema }: ModelRequest,
  { PromptCaching }: AnthropicSettings,
  usesFormat: boolean,
): Pick<Wire, 'system'> {
  const text =
    outputSchema === null || usesFormat
      ? system
      : `${system}\n\nYour final response must be only JSON, without any other text, and must match this JSON Schema:\n${JSON.stringify(outputSchema)}`;
  if (text.trim() === '') return {};
  const isWorthCaching =
    PromptCaching && tools.length > 0 && text.length + JSON.stringify(tools).length >= MIN_CACHED_CHARACTERS;
  return { system: [{ type: 'text', text, ...(isWorthCaching ? { cache_control: { type: 'ephemeral' } } : {}) }] };
}

function toWireMessages(message: ModelMessage): Wire['messages'] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'assistant': {
      const content = [...replayBlocks(message)];
      return [{ role: 'assistant', content: content.length === 0 ? EMPTY_COMPLETION_TEXT : content }];
    }
    case 'tool':
      return [
        {
          role: 'user',
          content: message.results.map(({ callId, content, isError }) => ({
            type: 'tool_result',
            tool_use_id: callId,
            ...(content === '' ? {} : { content }),
            ...(isError ? { is_error: true } : {}),
          })),
        },
      ];
  }
}
