import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { findScriptedResponse, type ScriptedRequest, type ScriptedResponse } from './scripted-response.js';
import { splitIntoPieces, sendJson, FakeModelServer, type FakeServerRequest } from './fake-model-server.js';

/**
 * Fake server of the Chat Completions API, based on OpenAI's published description, that validates requests as strictly
 * as the real API.
 */
export class FakeOpenAiServer extends FakeModelServer {
  script: readonly ScriptedResponse[] = [];

  constructor(readonly key: string) {
    super((request, response) => this.respond(request, response));
  }

  private respond(request: FakeServerRequest, response: ServerResponse): void {
    if (request.headers.authorization !== `Bearer ${this.key}`) {
      sendJson(
        response,
        401,
        createErrorBody('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
      );
    } else if (request.path === '/v1/models') {
      sendJson(response, 200, {
        object: 'list',
        data: [{ id: 'm', object: 'model', created: 1_700_000_000, owned_by: 'test' }],
      });
    } else if (request.path !== '/v1/chat/completions') {
      sendJson(response, 404, createErrorBody('Unknown request URL.', 'invalid_request_error', null));
    } else {
      const problem = findProblem(request.body);
      if (problem === undefined)
        sendResponse(response, findScriptedResponse(this.script, toScriptedRequest(request.body)), request.body);
      else sendJson(response, 400, createErrorBody(problem, 'invalid_request_error', null));
    }
  }
}

const createErrorBody = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
});

function toScriptedRequest(body: JsonObject): ScriptedRequest {
  const messages = body.messages as readonly JsonObject[];
  const toolResults = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1);
  const joinContents = (messageList: readonly JsonObject[]) =>
    messageList.map(({ content }) => String(content)).join('\n');
  return {
    turn: messages.filter(({ role }) => role === 'assistant').length + 1,
    userText: joinContents(messages.filter(({ role }) => role === 'user')),
    result: joinContents(toolResults),
  };
}

/** Returns the problem for which the real API refuses a request. */
function findProblem(body: JsonObject): string | undefined {
  const { messages, tools, stream, model } = body;
  if (typeof model !== 'string') return 'you must provide a model parameter';
  if (!Array.isArray(messages) || stream !== true) return 'Invalid type for messages or stream.';
  const invalidTool = ((tools ?? []) as { function: { name: string } }[]).find(
    ({ function: { name } }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name),
  );
  if (invalidTool !== undefined) return `Invalid tools name: ${invalidTool.function.name}`;
  let openCallIds: string[] = [];
  for (const message of messages as readonly JsonObject[]) {
    if (message.role === 'tool') {
      if (!openCallIds.includes(String(message.tool_call_id)))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      openCallIds = openCallIds.filter((id) => id !== message.tool_call_id);
    } else if (openCallIds.length > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${openCallIds.join(', ')}`;
    }
    if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []) as { id: string; function: { arguments: string } }[];
      if (!calls.every(({ function: { arguments: argumentsText } }) => isJsonObject(JSON.parse(argumentsText))))
        return 'The arguments of a tool call are not a JSON object.';
      openCallIds = calls.map(({ id }) => id);
    }
    if (message.role !== 'assistant' && typeof message.content !== 'string')
      return `Invalid value for 'content': expected a string, got ${String(message.content)}.`;
  }
  return openCallIds.length > 0
    ? `Missing tool messages: ${openCallIds.join(', ')}`
    : findRoleProblem(messages as readonly JsonObject[]);
}

/** Returns the problem for which stricter compatible servers refuse a request that the real API accepts. */
function findRoleProblem(messages: readonly JsonObject[]): string | undefined {
  const conversation = messages.filter(({ role }) => role !== 'system');
  for (const [index, { role, content, tool_calls: calls }] of conversation.entries()) {
    const previousRole = conversation[index - 1]?.role;
    if (role === 'user' && (previousRole === 'user' || previousRole === 'tool'))
      return `Unexpected role 'user' after role '${previousRole}'.`;
    if (role === 'assistant' && (previousRole === undefined || previousRole === 'assistant'))
      return `Unexpected role 'assistant' after role '${String(previousRole)}'.`;
    if (role === 'assistant' && calls === undefined && (typeof content !== 'string' || content.trim() === ''))
      return 'Assistant message must have either content or tool_calls, but not none.';
  }
  return conversation.at(-1)?.role === 'assistant' ? "Expected last role User or Tool but got 'assistant'." : undefined;
}

function sendResponse(response: ServerResponse, scripted: ScriptedResponse, body: JsonObject): void {
  if (scripted.hangs === true) return;
  if (scripted.failure !== undefined) {
    const { status, retryAfterMs } = scripted.failure;
    sendJson(
      response,
      status,
      createErrorBody('Scripted failure.', 'test', null),
      retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) },
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of toOpenAiChunks(scripted, body)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Returns the chunks of a response in the API's streaming format. */
function toOpenAiChunks(
  { text = '', calls = [], stop }: ScriptedResponse,
  { model, stream_options: options }: JsonObject,
): readonly JsonObject[] {
  const commonFields = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: `${String(model)}-2026-01-01`,
  };
  const createChunk = (delta: JsonObject, reason: string | null = null): JsonObject => ({
    ...commonFields,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
    usage: null,
  });
  const reason = stop === 'length' ? 'length' : stop === undefined && calls.length > 0 ? 'tool_calls' : 'stop';
  return [
    createChunk({ role: 'assistant', content: '', refusal: null }),
    ...splitIntoPieces(text).map((piece) => createChunk(stop === 'refusal' ? { refusal: piece } : { content: piece })),
    ...calls.flatMap(({ name, arguments: toolArguments }, index) => [
      createChunk({
        tool_calls: [{ index, id: `call_${name}_${index}`, type: 'function', function: { name, arguments: '' } }],
      }),
      ...splitIntoPieces(typeof toolArguments === 'string' ? toolArguments : JSON.stringify(toolArguments)).map(
        (piece) => createChunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    createChunk({}, reason),
    ...((options as JsonObject | undefined)?.include_usage === true
      ? [{ ...commonFields, choices: [], usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 } }]
      : []),
  ];
}
