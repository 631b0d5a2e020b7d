import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { findScriptedResponse, type ScriptedRequest, type ScriptedResponse } from './scripted-response.js';
import { splitIntoPieces, sendJson, FakeModelServer, type FakeServerRequest } from './fake-model-server.js';

/**
 * Fake server of the Messages API, based on its published description, that validates requests as strictly as the real
 * API. A response with tool calls starts with a signed thinking block, which later requests must contain unchanged.
 */
export class FakeAnthropicServer extends FakeModelServer {
  script: readonly ScriptedResponse[] = [];

  constructor(readonly key: string) {
    super((request, response) => this.respond(request, response));
  }

  private respond(request: FakeServerRequest, response: ServerResponse): void {
    if (request.headers.authorization !== `Bearer ${this.key}`) {
      sendError(response, 401, 'authentication_error', 'invalid authentication');
    } else if (request.headers['anthropic-version'] !== '2026-10-21') {
      sendError(response, 400, 'invalid_request_error', 'anthropic-version: header is required');
    } else if (request.path.startsWith('/v1/models')) {
      sendJson(response, 200, {
        data: [{ id: 'm', type: 'model', display_name: 'M', created_at: '2026-01-01T00:00:00Z' }],
        has_more: false,
        first_id: 'm',
        last_id: 'm',
      });
    } else {
      const problem = findProblem(request.body);
      if (problem === undefined)
        sendResponse(response, findScriptedResponse(this.script, toScriptedRequest(request.body)), request.body);
      else sendError(response, 400, 'invalid_request_error', problem);
    }
  }
}

function sendError(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, { type: 'error', error: { type, message }, request_id: 'req_1' }, headers);
}

const getBlocks = ({ content }: JsonObject) =>
  (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as readonly JsonObject[];

function toScriptedRequest(body: JsonObject): ScriptedRequest {
  const messages = body.messages as readonly JsonObject[];
  const userTexts = messages
    .filter(({ role }) => role === 'user')
    .flatMap(getBlocks)
    .filter(({ type }) => type === 'text');
  return {
    turn: messages.filter(({ role }) => role === 'assistant').length + 1,
    userText: userTexts.map(({ text }) => String(text)).join('\n'),
    result: getBlocks(messages.at(-1) ?? { content: [] })
      .map(({ content }) => String(content))
      .join('\n'),
  };
}

/** Returns the problem for which the real API refuses a request. */
function findProblem(body: JsonObject): string | undefined {
  const { messages, max_tokens: maxTokens, stream, temperature, tools } = body;
  if (typeof maxTokens !== 'number' || stream !== true || !Array.isArray(messages)) return 'max_tokens: Field required';
  if (temperature !== undefined) return 'temperature: Extra inputs are not permitted';
  if (
    !((tools ?? []) as readonly JsonObject[]).every(
      ({ name, input_schema: schema }) =>
        /^[a-zA-Z0-9_-]{1,128}$/.test(String(name)) && isJsonObject(schema) && schema.type === 'object',
    )
  )
    return 'tools: Invalid';
  let openToolUseIds: string[] = [];
  // The real API accepts consecutive messages of the same role, but stricter compatible servers refuse them.
  if ((messages as readonly JsonObject[]).some(({ role }, index) => role !== (index % 2 === 0 ? 'user' : 'assistant')))
    return 'messages: roles must alternate between "user" and "assistant"';
  for (const message of messages as readonly JsonObject[]) {
    const blocks = getBlocks(message);
    if (blocks.length === 0 || blocks.some(({ type, text }) => type === 'text' && String(text).trim() === ''))
      return 'messages: text content blocks must be non-empty';
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => String(id));
    if (openToolUseIds.some((id) => !results.includes(id)))
      return `messages: tool_use ids were found without tool_result blocks immediately after: ${openToolUseIds.join(', ')}`;
    if (results.some((id) => !openToolUseIds.includes(id)))
      return 'messages: unexpected tool_use_id found in tool_result blocks';
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    if (!calls.every(({ input }) => isJsonObject(input)))
      return 'messages: tool_use.input: Input should be a valid dictionary';
    if (blocks.some((block) => block.type === 'thinking' && block.signature !== signThinking(String(block.thinking))))
      return 'messages: Invalid `signature` in `thinking` block';
    if (calls.length > 0 && blocks[0]?.type !== 'thinking')
      return 'messages: Expected `thinking` or `redacted_thinking`, but found `tool_use`';
    openToolUseIds = calls.map(({ id }) => String(id));
  }
  return openToolUseIds.length > 0 ? 'messages: tool_use ids were found without tool_result blocks' : undefined;
}

const signThinking = (thinking: string) => createHash('sha256').update(thinking).digest('base64');

function sendResponse(response: ServerResponse, scripted: ScriptedResponse, body: JsonObject): void {
  if (scripted.hangs === true) return;
  if (scripted.failure !== undefined) {
    const { status, retryAfterMs } = scripted.failure;
    sendError(
      response,
      status,
      'test',
      'Scripted failure.',
      retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) },
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of toAnthropicEvents(scripted, body))
    response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

/** Returns the events of a response in the API's streaming format. */
function toAnthropicEvents(
  { text = '', calls = [], stop }: ScriptedResponse,
  { model }: JsonObject,
): readonly JsonObject[] {
  const thinking = 'I am thinking about the issue.';
  const blocks: readonly (readonly [JsonObject, readonly JsonObject[]])[] = [
    ...(calls.length === 0
      ? []
      : [
          [
            { type: 'thinking', thinking: '', signature: '' },
            [
              ...splitIntoPieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
              { type: 'signature_delta', signature: signThinking(thinking) },
            ],
          ] as const,
        ]),
    ...(text === ''
      ? []
      : [
          [
            { type: 'text', text: '' },
            splitIntoPieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
          ] as const,
        ]),
    ...calls.map(
      ({ name, arguments: toolArguments }, index) =>
        [
          { type: 'tool_use', id: `toolu_${name}_${index}`, name, input: {} },
          splitIntoPieces(typeof toolArguments === 'string' ? toolArguments : JSON.stringify(toolArguments)).map(
            (piece) => ({
              type: 'input_json_delta',
              partial_json: piece,
            }),
          ),
        ] as const,
    ),
  ];
  const stopReason =
    stop === 'length' ? 'max_tokens' : stop === 'refusal' ? 'refusal' : calls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: `${String(model)}-20260101`,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 5, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 1 },
      },
    },
    { type: 'ping' },
    ...blocks.flatMap(([block, deltas], index): readonly JsonObject[] => [
      { type: 'content_block_start', index, content_block: block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 15 } },
    { type: 'message_stop' },
  ];
}
