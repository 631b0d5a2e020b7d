import { NO_ANSWER } from '../../contributions/model-http/index.js';
import type { ModelMessage, ModelToolResult } from '../../contributions/model-provider.js';
import { TerminalFailure } from '../../contributions/job-handler.js';
import { isJsonObject, type Json, type JsonObject } from '@countersign/model';
import type { TranscriptEntry } from '../../ports/agent-runtime.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import { dataBlock } from './data-block.js';
import { argumentsForModel, messageForModel } from './model-tools.js';
import { INVALID_ARGUMENTS } from './propose-call.js';
import { modelName } from './tool-names.js';

/** Maximum size of all messages together, in bytes: about a hundred thousand tokens of English. */
export const MAX_TRANSCRIPT_BYTES = 400_000;

type Turn = Extract<TranscriptEntry, { kind: 'turn' }>;
type Result = Extract<TranscriptEntry, { kind: 'result' }>;

/**
 * Builds the messages for the language model. If they exceed the size limit, replaces the contents of as many of the
 * oldest results as necessary with a note, then reduces the provider data of older turns.
 *
 * @param tools the tools whose schemas give the argument names of earlier calls
 * @param reduced returns the minimum of its opaque data that the provider requires
 *
 * @throws {TerminalFailure} `agent_transcript_too_large` if the messages still exceed the limit
 */
export function modelMessages(
  prompt: string,
  inputs: JsonObject,
  transcript: readonly TranscriptEntry[],
  tools: readonly AgentTool[] = [],
  reduced: (opaque: Json) => Json = () => null,
): readonly ModelMessage[] {
  const results = new Map(
    transcript.flatMap((entry): [string, Result][] => (entry.kind === 'result' ? [[entry.callId, entry]] : [])),
  );
  const messages = transcript.flatMap((entry): ModelMessage[] => {
    if (entry.kind === 'turn') return turnMessages(entry, results, tools);
    return entry.kind === 'repair' ? [{ role: 'user', text: repairText(entry.problems) }] : [];
  });
  return bounded([{ role: 'user', text: firstText(prompt, inputs) }, ...messages], reduced);
}

function firstText(prompt: string, inputs: JsonObject): string {
  return Object.keys(inputs).length === 0
    ? prompt
    : `${prompt}\n\nThe inputs of this step:\n${dataBlock('inputs', inputs)}`;
}

function turnMessages(
  { text, calls, opaque }: Turn,
  results: ReadonlyMap<string, Result>,
  tools: readonly AgentTool[],
): ModelMessage[] {
  const said = text === null || text.trim() === '' ? null : text;
  // Roles must alternate: a user message follows, and it must not follow a user or tool message.
  if (said === null && calls.length === 0) return [{ role: 'assistant', text: NO_ANSWER, calls: [], opaque: null }];
  const toolOf = (name: string): AgentTool | undefined => tools.find((each) => each.name === name);
  const proposed = calls.map(({ toolCallId, tool, arguments: given }) => ({
    id: toolCallId,
    name: modelName(tool),
    arguments: argumentsShown(toolOf(tool), given),
  }));
  const assistant: ModelMessage = { role: 'assistant', text: said, calls: proposed, opaque };
  if (calls.length === 0) return [assistant];
  return [
    assistant,
    {
      role: 'tool',
      results: calls.map(({ callId, toolCallId, tool }) =>
        resultMessage(toolCallId, results.get(callId), toolOf(tool)),
      ),
    },
  ];
}

function resultMessage(toolCallId: string, result: Result | undefined, tool: AgentTool | undefined): ModelToolResult {
  // Every call needs a result; otherwise the provider refuses the whole conversation.
  if (result === undefined) return { callId: toolCallId, content: dataBlock('engine', 'No result.'), isError: true };
  const { source, content, isError, edited } = result;
  const said = isError ? errorForModel(tool, content) : content;
  return { callId: toolCallId, content: `${editText(tool, edited)}${dataBlock(source, said)}`, isError };
}

/** Replaces argument names in an error with the names that the language model knows. */
function errorForModel(tool: AgentTool | undefined, content: Json): Json {
  if (tool === undefined || !isJsonObject(content) || content['error'] !== INVALID_ARGUMENTS) return content;
  const { message } = content;
  return typeof message === 'string' ? { ...content, message: messageForModel(tool, message) } : content;
}

/** Describes an edit of the arguments, as the system prompt promises. Text written by the user is data. */
function editText(tool: AgentTool | undefined, edited: Result['edited']): string {
  if (edited === undefined) return '';
  const { arguments: given, comment } = edited;
  return [
    'A person changed the arguments of this call.',
    ...(given === null ? [] : [`These count, not yours:\n${dataBlock('edit', argumentsShown(tool, given))}`]),
    ...(comment === null ? [] : [`The comment of the person:\n${dataBlock('comment', comment)}`]),
    'What came of it:\n',
  ].join('\n');
}

/** Uses the original argument names if the tool no longer exists. */
function argumentsShown(tool: AgentTool | undefined, given: Json): Json {
  return tool === undefined ? given : argumentsForModel(tool, given);
}

function repairText(problems: readonly string[]): string {
  return `Your answer is not valid:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nAnswer again, in full and without these mistakes. This is the last attempt.`;
}

function bounded(messages: readonly ModelMessage[], reduced: (opaque: Json) => Json): readonly ModelMessage[] {
  let size = messages.reduce((sum, message) => sum + bytesOf(message), 0);
  const shorter = messages.map((message): ModelMessage => {
    if (message.role !== 'tool' || size <= MAX_TRANSCRIPT_BYTES) return message;
    const results = message.results.map((result) => {
      const note = `This result (${Buffer.byteLength(result.content)} bytes) was removed to make room. If you need it, call the tool again and ask for less at once.`;
      const gain = Buffer.byteLength(result.content) - Buffer.byteLength(note);
      if (size <= MAX_TRANSCRIPT_BYTES || gain <= 0) return result;
      size -= gain;
      return { ...result, content: note };
    });
    return { role: 'tool', results };
  });
  if (size <= MAX_TRANSCRIPT_BYTES) return shorter;
  // The provider always requires the opaque data of the newest turn; that of older turns is mostly reasoning.
  const newest = shorter.findLastIndex(({ role }) => role === 'assistant');
  const leaner = shorter.map((message, index): ModelMessage => {
    if (message.role !== 'assistant' || index >= newest || message.opaque === null || size <= MAX_TRANSCRIPT_BYTES)
      return message;
    const lean = { ...message, opaque: reduced(message.opaque) };
    size -= bytesOf(message) - bytesOf(lean);
    return lean;
  });
  if (size <= MAX_TRANSCRIPT_BYTES) return leaner;
  throw new TerminalFailure(
    'agent_transcript_too_large',
    `The prompt has ${size} bytes without tool results; at most ${MAX_TRANSCRIPT_BYTES} are allowed. Give the step smaller inputs.`,
  );
}

function bytesOf(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return Buffer.byteLength(message.text);
    case 'assistant':
      return Buffer.byteLength(message.text ?? '') + Buffer.byteLength(JSON.stringify([message.calls, message.opaque]));
    case 'tool':
      return message.results.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  }
}
