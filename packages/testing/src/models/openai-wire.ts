import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { responseFor, type ScriptedRequest, type ScriptedResponse } from './scripted-response.js';
import { pieces, sendJson, WireServer, type WireRequest } from './wire-server.js';

/**
 * Server of the Chat Completions API (from OpenAI's published description), as strict about requests as the real one.
 */
export class OpenAiWire extends WireServer {
  script: readonly ScriptedResponse[] = [];

  constructor(readonly key: string) {
    super((request, response) => this.respond(request, response));
  }

  private respond(request: WireRequest, response: ServerResponse): void {
    if (request.headers.authorization !== `Bearer ${this.key}`) {
      sendJson(response, 401, failure('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'));
    } else if (request.path === '/v1/models') {
      sendJson(response, 200, {
        object: 'list',
        data: [{ id: 'm', object: 'model', created: 1_700_000_000, owned_by: 'test' }],
      });
    } else if (request.path !== '/v1/chat/completions') {
      sendJson(response, 404, failure('Unknown request URL.', 'invalid_request_error', null));
    } else {
      const problem = findProblem(request.body);
      if (problem === undefined) say(response, responseFor(this.script, asked(request.body)), request.body);
      else sendJson(response, 400, failure(problem, 'invalid_request_error', null));
    }
  }
}

const failure = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
});

function asked(body: JsonObject): ScriptedRequest {
  const messages = body.messages as readonly JsonObject[];
  const newest = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1);
  const text = (all: readonly JsonObject[]) => all.map(({ content }) => String(content)).join('\n');
  return {
    turn: messages.filter(({ role }) => role === 'assistant').length + 1,
    told: text(messages.filter(({ role }) => role === 'user')),
    result: text(newest),
  };
}

/** Returns the problem for which the real API refuses a request. */
function findProblem(body: JsonObject): string | undefined {
  const { messages, tools, stream, model } = body;
  if (typeof model !== 'string') return 'you must provide a model parameter';
  if (!Array.isArray(messages) || stream !== true) return 'Invalid type for messages or stream.';
  const bad = ((tools ?? []) as { function: { name: string } }[]).find(
    ({ function: { name } }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name),
  );
  if (bad !== undefined) return `Invalid tools name: ${bad.function.name}`;
  let open: string[] = [];
  for (const message of messages as readonly JsonObject[]) {
    if (message.role === 'tool') {
      if (!open.includes(String(message.tool_call_id)))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      open = open.filter((id) => id !== message.tool_call_id);
    } else if (open.length > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${open.join(', ')}`;
    }
    if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []) as { id: string; function: { arguments: string } }[];
      if (!calls.every(({ function: { arguments: given } }) => isJsonObject(JSON.parse(given))))
        return 'The arguments of a tool call are not a JSON object.';
      open = calls.map(({ id }) => id);
    }
    if (message.role !== 'assistant' && typeof message.content !== 'string')
      return `Invalid value for 'content': expected a string, got ${String(message.content)}.`;
  }
  return open.length > 0 ? `Missing tool messages: ${open.join(', ')}` : roleProblem(messages as readonly JsonObject[]);
}

/** Returns the problem for which only stricter servers of this API refuse a request. */
function roleProblem(messages: readonly JsonObject[]): string | undefined {
  const said = messages.filter(({ role }) => role !== 'system');
  for (const [index, { role, content, tool_calls: calls }] of said.entries()) {
    const before = said[index - 1]?.role;
    if (role === 'user' && (before === 'user' || before === 'tool'))
      return `Unexpected role 'user' after role '${before}'.`;
    if (role === 'assistant' && (before === undefined || before === 'assistant'))
      return `Unexpected role 'assistant' after role '${String(before)}'.`;
    if (role === 'assistant' && calls === undefined && (typeof content !== 'string' || content.trim() === ''))
      return 'Assistant message must have either content or tool_calls, but not none.';
  }
  return said.at(-1)?.role === 'assistant' ? "Expected last role User or Tool but got 'assistant'." : undefined;
}

function say(response: ServerResponse, says: ScriptedResponse, body: JsonObject): void {
  if (says.hangs === true) return;
  if (says.fails !== undefined) {
    const { status, retryAfterMs } = says.fails;
    sendJson(
      response,
      status,
      failure('It fails.', 'test', null),
      retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) },
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of openAiChunks(says, body)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Returns the parts of a response in the API's streaming format. */
function openAiChunks(
  { text = '', calls = [], stop }: ScriptedResponse,
  { model, stream_options: options }: JsonObject,
): readonly JsonObject[] {
  const head = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: `${String(model)}-2026-01-01`,
  };
  const part = (delta: JsonObject, reason: string | null = null): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
    usage: null,
  });
  const reason = stop === 'length' ? 'length' : stop === undefined && calls.length > 0 ? 'tool_calls' : 'stop';
  return [
    part({ role: 'assistant', content: '', refusal: null }),
    ...pieces(text).map((piece) => part(stop === 'refusal' ? { refusal: piece } : { content: piece })),
    ...calls.flatMap(({ name, arguments: given }, index) => [
      part({
        tool_calls: [{ index, id: `call_${name}_${index}`, type: 'function', function: { name, arguments: '' } }],
      }),
      ...pieces(typeof given === 'string' ? given : JSON.stringify(given)).map((piece) =>
        part({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    part({}, reason),
    ...((options as JsonObject | undefined)?.include_usage === true
      ? [{ ...head, choices: [], usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 } }]
      : []),
  ];
}
