import { type Json, type ModelMessage, type ModelRequest, NO_ANSWER } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { OpenAI } from 'openai';
import type { OpenAiSettings } from './configuration.js';
import { fitsStrict } from './strict-schema.js';

type Wire = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type WireMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** A request as the Chat Completions API takes it. */
export function wireRequest(request: ModelRequest, settings: OpenAiSettings): Wire {
  const { model, messages, tools, temperature, maxOutputTokens } = request;
  return {
    model,
    messages: [{ role: 'system', content: systemOf(request, settings) }, ...messages.flatMap(wireMessages)],
    stream: true,
    [settings.MaxTokensParameter]: maxOutputTokens,
    ...(settings.IncludeUsage ? { stream_options: { include_usage: true } } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function' as const,
            function: { name, description, parameters: inputSchema },
          })),
        }),
    ...responseFormat(request, settings),
  };
}

function systemOf({ system, outputSchema }: ModelRequest, { StructuredOutputs }: OpenAiSettings): string {
  if (outputSchema === null || StructuredOutputs === 'json_schema') return system;
  return `${system}\n\nYour last answer is JSON alone, without anything around it, and fits this JSON Schema:\n${JSON.stringify(outputSchema)}`;
}

function responseFormat(
  { outputSchema }: ModelRequest,
  { StructuredOutputs }: OpenAiSettings,
): Pick<Wire, 'response_format'> {
  if (outputSchema === null || StructuredOutputs === 'prompt') return {};
  if (StructuredOutputs === 'json_object') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'output', schema: outputSchema, strict: fitsStrict(outputSchema) },
    },
  };
}

function wireMessages(message: ModelMessage): readonly WireMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'assistant': {
      const calls = message.calls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: wireArguments(given) },
      }));
      return [
        calls.length === 0
          ? { role: 'assistant', content: message.text?.trim() ? message.text : NO_ANSWER }
          : { role: 'assistant', content: message.text, tool_calls: calls },
      ];
    }
    case 'tool':
      // This API has no mark for results that went wrong.
      return message.results.map(({ callId, content, isError }) => ({
        role: 'tool',
        tool_call_id: callId,
        content: isError ? `Error: ${content}` : content,
      }));
  }
}

/** Servers put the arguments into the template of the model and insist on an object; a model may have said anything. */
function wireArguments(given: Json): string {
  return JSON.stringify(isJsonObject(given) ? given : { malformed: given });
}
