import { EMPTY_COMPLETION_TEXT } from '../../contributions/model-http/index.js';
import type { ModelMessage, ModelToolResult } from '../../contributions/model-provider.js';
import { TerminalFailure } from '../../contributions/job-handler.js';
import { isJsonObject, type Json, type JsonObject } from '@countersign/model';
import type { TranscriptEntry } from '../../ports/agent-runtime.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import { formatDataBlock } from './data-block.js';
import { toModelArguments, toModelMessage } from './model-tools.js';
import { INVALID_ARGUMENTS } from './propose-call.js';
import { toModelToolName } from './tool-names.js';

/** Maximum size of all messages together, in bytes: about a hundred thousand tokens of English. */
export const MAX_TRANSCRIPT_BYTES = 400_000;

type TurnEntry = Extract<TranscriptEntry, { kind: 'turn' }>;
type ResultEntry = Extract<TranscriptEntry, { kind: 'result' }>;

/**
 * Builds the messages for the language model. If they exceed the size limit, replaces the contents of as many of the
 * oldest results as necessary with a note, then reduces the provider data of older turns.
 *
 * @param tools the tools whose schemas give the argument names of earlier calls
 * @param reduceOpaque returns the minimum of its opaque data that the provider requires
 *
 * @throws {TerminalFailure} `agent_transcript_too_large` if the messages still exceed the limit
 */
export function buildModelMessages(
  prompt: string,
  inputs: JsonObject,
  transcript: readonly TranscriptEntry[],
  tools: readonly AgentTool[] = [],
  reduceOpaque: (opaque: Json) => Json = () => null,
): readonly ModelMessage[] {
  const results = new Map(
    transcript.flatMap((entry): [string, ResultEntry][] => (entry.kind === 'result' ? [[entry.callId, entry]] : [])),
  );
  const messages = transcript.flatMap((entry): ModelMessage[] => {
    if (entry.kind === 'turn') return toTurnMessages(entry, results, tools);
    return entry.kind === 'repair' ? [{ role: 'user', text: formatRepairRequest(entry.problems) }] : [];
  });
  return limitSize([{ role: 'user', text: formatPrompt(prompt, inputs) }, ...messages], reduceOpaque);
}

function formatPrompt(prompt: string, inputs: JsonObject): string {
  return Object.keys(inputs).length === 0
    ? prompt
    : `${prompt}\n\nThe inputs of this step:\n${formatDataBlock('inputs', inputs)}`;
}

function toTurnMessages(
  { text, calls, opaque }: TurnEntry,
  results: ReadonlyMap<string, ResultEntry>,
  tools: readonly AgentTool[],
): ModelMessage[] {
  const visibleText = text === null || text.trim() === '' ? null : text;
  // Roles must alternate: a user message follows, and it must not follow a user or tool message.
  if (visibleText === null && calls.length === 0)
    return [{ role: 'assistant', text: EMPTY_COMPLETION_TEXT, calls: [], opaque: null }];
  const findTool = (name: string): AgentTool | undefined => tools.find((each) => each.name === name);
  const modelCalls = calls.map(({ toolCallId, tool, arguments: callArguments }) => ({
    id: toolCallId,
    name: toModelToolName(tool),
    arguments: toVisibleArguments(findTool(tool), callArguments),
  }));
  const assistant: ModelMessage = { role: 'assistant', text: visibleText, calls: modelCalls, opaque };
  if (calls.length === 0) return [assistant];
  return [
    assistant,
    {
      role: 'tool',
      results: calls.map(({ callId, toolCallId, tool }) =>
        toToolResult(toolCallId, results.get(callId), findTool(tool)),
      ),
    },
  ];
}

function toToolResult(
  toolCallId: string,
  result: ResultEntry | undefined,
  tool: AgentTool | undefined,
): ModelToolResult {
  // Every call needs a result; otherwise the provider refuses the whole conversation.
  if (result === undefined)
    return { callId: toolCallId, content: formatDataBlock('engine', 'No result.'), isError: true };
  const { source, content, isError, edited } = result;
  const visibleContent = isError ? toModelError(tool, content) : content;
  return {
    callId: toolCallId,
    content: `${formatEdit(tool, edited)}${formatDataBlock(source, visibleContent)}`,
    isError,
  };
}

/** Replaces argument names in an error with the names that the language model received. */
function toModelError(tool: AgentTool | undefined, content: Json): Json {
  if (tool === undefined || !isJsonObject(content) || content['error'] !== INVALID_ARGUMENTS) return content;
  const { message } = content;
  return typeof message === 'string' ? { ...content, message: toModelMessage(tool, message) } : content;
}

/** Describes an edit of the arguments, as announced in the system prompt. Text written by the user is data. */
function formatEdit(tool: AgentTool | undefined, edited: ResultEntry['edited']): string {
  if (edited === undefined) return '';
  const { arguments: callArguments, comment } = edited;
  return [
    'A person changed the arguments of this call.',
    ...(callArguments === null
      ? []
      : [`These arguments replace yours:\n${formatDataBlock('edit', toVisibleArguments(tool, callArguments))}`]),
    ...(comment === null ? [] : [`The comment of the person:\n${formatDataBlock('comment', comment)}`]),
    'The result of the call:\n',
  ].join('\n');
}

/** Uses the original argument names if the tool no longer exists. */
function toVisibleArguments(tool: AgentTool | undefined, callArguments: Json): Json {
  return tool === undefined ? callArguments : toModelArguments(tool, callArguments);
}

function formatRepairRequest(problems: readonly string[]): string {
  return `Your output is not valid:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nReturn the complete output again, without these errors. This is the last attempt.`;
}

function limitSize(messages: readonly ModelMessage[], reduceOpaque: (opaque: Json) => Json): readonly ModelMessage[] {
  let size = messages.reduce((sum, message) => sum + getMessageBytes(message), 0);
  const withoutOldResults = messages.map((message): ModelMessage => {
    if (message.role !== 'tool' || size <= MAX_TRANSCRIPT_BYTES) return message;
    const results = message.results.map((result) => {
      const note = `This result (${Buffer.byteLength(result.content)} bytes) was removed to save space. If you need it, call the tool again and request less data at a time.`;
      const savedBytes = Buffer.byteLength(result.content) - Buffer.byteLength(note);
      if (size <= MAX_TRANSCRIPT_BYTES || savedBytes <= 0) return result;
      size -= savedBytes;
      return { ...result, content: note };
    });
    return { role: 'tool', results };
  });
  if (size <= MAX_TRANSCRIPT_BYTES) return withoutOldResults;
  // The provider always requires the opaque data of the newest turn; that of older turns is mostly reasoning.
  const lastAssistantIndex = withoutOldResults.findLastIndex(({ role }) => role === 'assistant');
  const withReducedOpaque = withoutOldResults.map((message, index): ModelMessage => {
    if (
      message.role !== 'assistant' ||
      index >= lastAssistantIndex ||
      message.opaque === null ||
      size <= MAX_TRANSCRIPT_BYTES
    )
      return message;
    const reducedMessage = { ...message, opaque: reduceOpaque(message.opaque) };
    size -= getMessageBytes(message) - getMessageBytes(reducedMessage);
    return reducedMessage;
  });
  if (size <= MAX_TRANSCRIPT_BYTES) return withReducedOpaque;
  throw new TerminalFailure(
    'agent_transcript_too_large',
    `The prompt has ${size} bytes without tool results; at most ${MAX_TRANSCRIPT_BYTES} are allowed. Give the step smaller inputs.`,
  );
}

function getMessageBytes(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return Buffer.byteLength(message.text);
    case 'assistant':
      return Buffer.byteLength(message.text ?? '') + Buffer.byteLength(JSON.stringify([message.calls, message.opaque]));
    case 'tool':
      return message.results.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  }
}
