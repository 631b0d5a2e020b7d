import {
  type Json,
  type JsonObject,
  type ModelMessage,
  type ModelRequest,
  EMPTY_COMPLETION_TEXT,
} from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { OpenAI } from 'openai';
import { readCompanions } from './companions.js';
import type { OpenAiSettings } from './configuration.js';
import type { OutputMode } from './output-modes.js';
import { THINKING_PARTS, omitMembers } from './refused-members.js';
import { isStrictSchema } from './strict-schema.js';

/** Maximum length of a tool description, in characters: OpenAI and Azure refuse longer ones. */
const MAX_DESCRIPTION_LENGTH = 1_024;

type WireRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type AssistantContent = OpenAI.Chat.Completions.ChatCompletionAssistantMessageParam['content'];
type WireMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** Server-specific form of a request. */
export interface WireOptions {
  /** Provider id. */
  readonly provider: string;
  readonly mode: OutputMode;
  /** Names of the companion members to leave out, because the API refuses them. */
  readonly refused: ReadonlySet<string>;
}

/** Converts a request to the format of the Chat Completions API. */
export function toWireRequest(request: ModelRequest, settings: OpenAiSettings, options: WireOptions): WireRequest {
  const { provider, mode } = options;
  const { model, messages, tools, temperature, maxOutputTokens } = request;
  const ids = mapServerIds(messages, provider);
  return {
    model,
    messages: [
      { role: 'system', content: `${buildSystemPrompt(request, mode)}${formatLongDescriptions(tools)}` },
      ...messages.flatMap((message) => toWireMessages(message, options, ids)),
    ],
    stream: true,
    [settings.MaxTokensParameter]: maxOutputTokens,
    ...(settings.IncludeUsage ? { stream_options: { include_usage: true } } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function' as const,
            function: { name, description: description.slice(0, MAX_DESCRIPTION_LENGTH), parameters: inputSchema },
          })),
        }),
    ...buildResponseFormat(request, mode),
  };
}

/** Returns the parts of tool descriptions that exceed the limit of the API. */
function formatLongDescriptions(tools: ModelRequest['tools']): string {
  return tools
    .filter(({ description }) => description.length > MAX_DESCRIPTION_LENGTH)
    .map(
      ({ name, description }) =>
        `\n\nThe rest of the description of ${name}: …${description.slice(MAX_DESCRIPTION_LENGTH)}`,
    )
    .join('');
}

function buildSystemPrompt({ system, outputSchema }: ModelRequest, mode: OutputMode): string {
  if (mode === 'none' || mode === 'json_schema') return system;
  return `${system}\n\nYour final response must be only JSON, without any other text, and must match this JSON Schema:\n${JSON.stringify(outputSchema)}`;
}

function buildResponseFormat({ outputSchema }: ModelRequest, mode: OutputMode): Pick<WireRequest, 'response_format'> {
  if (outputSchema === null || mode === 'none' || mode === 'prompt') return {};
  if (mode === 'json_object') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'output', schema: outputSchema, strict: isStrictSchema(outputSchema) },
    },
  };
}

/** Returns the ids from the server for calls whose id was replaced, by the replacement id. */
function mapServerIds(messages: readonly ModelMessage[], provider: string): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap((message) => {
      const companions = message.role === 'assistant' ? readCompanions(message.opaque, provider) : undefined;
      return Object.entries(companions?.calls ?? {}).flatMap(([ownId, { id }]): [string, string][] =>
        typeof id === 'string' ? [[ownId, id]] : [],
      );
    }),
  );
}

function toWireMessages(
  message: ModelMessage,
  { provider, refused }: WireOptions,
  ids: ReadonlyMap<string, string>,
): readonly WireMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'assistant': {
      const companions = readCompanions(message.opaque, provider);
      const calls = message.calls.map(({ id, name, arguments: args }) => {
        const { function: functionMembers, ...callMembers } = omitMembers(companions?.calls[id] ?? {}, refused);
        return {
          ...callMembers,
          id: ids.get(id) ?? id,
          type: 'function' as const,
          function: {
            ...omitMembers(isJsonObject(functionMembers) ? functionMembers : {}, refused),
            name,
            arguments: serializeArguments(args),
          },
        };
      });
      const parts = refused.has(THINKING_PARTS) ? [] : (companions?.parts ?? []);
      return [
        calls.length === 0
          ? { role: 'assistant', content: message.text?.trim() ? message.text : EMPTY_COMPLETION_TEXT }
          : {
              ...omitMembers(companions?.message ?? {}, refused),
              role: 'assistant',
              content: parts.length === 0 ? message.text : combineContent(parts, message.text),
              tool_calls: calls,
            },
      ];
    }
    case 'tool':
      // This API has no flag for failed results.
      return message.results.map(({ callId, content, isError }) => ({
        role: 'tool',
        tool_call_id: ids.get(callId) ?? callId,
        content: isError ? `Error: ${content}` : content,
      }));
  }
}

/**
 * Combines parts and text. The cast is needed because the types of the library do not include the parts of other
 * servers.
 */
function combineContent(parts: readonly JsonObject[], text: string | null): AssistantContent {
  return [...parts, ...(text === null ? [] : [{ type: 'text', text }])] as unknown as AssistantContent;
}

/**
 * Serializes arguments as an object, which servers require for the chat template of the language model. Wraps arguments
 * that are not an object.
 */
function serializeArguments(args: Json): string {
  return JSON.stringify(isJsonObject(args) ? args : { malformed: args });
}
