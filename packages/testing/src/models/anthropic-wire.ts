import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { responseFor, type ScriptedRequest, type ScriptedResponse } from './scripted-response.js';
import { pieces, sendJson, WireServer, type WireRequest } from './wire-server.js';

/**
 * Server of the Messages API (from its published description), as strict about requests as the real one. It sends
 * signed thinking before each call and requires it back unchanged.
 */
export class AnthropicWire extends WireServer {
  script: readonly ScriptedResponse[] = [];

  constructor(readonly key: string) {
    super((request, response) => this.respond(request, response));
  }

  private respond(request: WireRequest, response: ServerResponse): void {
    if (request.headers.authorization !== `Bearer ${this.key}`) {
      fail(response, 401, 'authentication_error', 'invalid authentication');
    } else if (request.headers['anthropic-version'] !== '2026-10-21') {
      fail(response, 400, 'invalid_request_error', 'anthropic-version: header is required');
    } else if (request.path.startsWith('/v1/models')) {
      sendJson(response, 200, {
        data: [{ id: 'm', type: 'model', display_name: 'M', created_at: '2026-01-01T00:00:00Z' }],
        has_more: false,
        first_id: 'm',
        last_id: 'm',
      });
    } else {
      const problem = findProblem(request.body);
      if (problem === undefined) say(response, responseFor(this.script, asked(request.body)), request.body);
      else fail(response, 400, 'invalid_request_error', problem);
    }
  }
}

function fail(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, { type: 'error', error: { type, message }, request_id: 'req_1' }, headers);
}

const blocksOf = ({ content }: JsonObject) =>
  (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as readonly JsonObject[];

function asked(body: JsonObject): ScriptedRequest {
  const messages = body.messages as readonly JsonObject[];
  const userTexts = messages
    .filter(({ role }) => role === 'user')
    .flatMap(blocksOf)
    .filter(({ type }) => type === 'text');
  return {
    turn: messages.filter(({ role }) => role === 'assistant').length + 1,
    told: userTexts.map(({ text }) => String(text)).join('\n'),
    result: blocksOf(messages.at(-1) ?? { content: [] })
      .map(({ content }) => String(content))
      .join('\n'),
  };
}

/** Returns the problem for which the real API refuses a request. */
function findProblem(body: JsonObject): string | undefined {
  const { messages, max_tokens: most, stream, temperature, tools } = body;
  if (typeof most !== 'number' || stream !== true || !Array.isArray(messages)) return 'max_tokens: Field required';
  if (temperature !== undefined) return 'temperature: Extra inputs are not permitted';
  if (
    !((tools ?? []) as readonly JsonObject[]).every(
      ({ name, input_schema: schema }) =>
        /^[a-zA-Z0-9_-]{1,128}$/.test(String(name)) && isJsonObject(schema) && schema.type === 'object',
    )
  )
    return 'tools: Invalid';
  let open: string[] = [];
  // Refused only by stricter servers of this API.
  if ((messages as readonly JsonObject[]).some(({ role }, index) => role !== (index % 2 === 0 ? 'user' : 'assistant')))
    return 'messages: roles must alternate between "user" and "assistant"';
  for (const message of messages as readonly JsonObject[]) {
    const blocks = blocksOf(message);
    if (blocks.length === 0 || blocks.some(({ type, text }) => type === 'text' && String(text).trim() === ''))
      return 'messages: text content blocks must be non-empty';
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => String(id));
    if (open.some((id) => !results.includes(id)))
      return `messages: tool_use ids were found without tool_result blocks immediately after: ${open.join(', ')}`;
    if (results.some((id) => !open.includes(id))) return 'messages: unexpected tool_use_id found in tool_result blocks';
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    if (!calls.every(({ input }) => isJsonObject(input)))
      return 'messages: tool_use.input: Input should be a valid dictionary';
    if (blocks.some((block) => block.type === 'thinking' && block.signature !== signatureOf(String(block.thinking))))
      return 'messages: Invalid `signature` in `thinking` block';
    if (calls.length > 0 && blocks[0]?.type !== 'thinking')
      return 'messages: Expected `thinking` or `redacted_thinking`, but found `tool_use`';
    open = calls.map(({ id }) => String(id));
  }
  return open.length > 0 ? 'messages: tool_use ids were found without tool_result blocks' : undefined;
}

const signatureOf = (thinking: string) => createHash('sha256').update(thinking).digest('base64');

function say(response: ServerResponse, says: ScriptedResponse, body: JsonObject): void {
  if (says.hangs === true) return;
  if (says.fails !== undefined) {
    const { status, retryAfterMs } = says.fails;
    fail(
      response,
      status,
      'test',
      'It fails.',
      retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) },
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of anthropicEvents(says, body))
    response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

/** Returns the events of a response in the API's streaming format. */
function anthropicEvents(
  { text = '', calls = [], stop }: ScriptedResponse,
  { model }: JsonObject,
): readonly JsonObject[] {
  const thinking = 'I think of the issue.';
  const blocks: readonly (readonly [JsonObject, readonly JsonObject[]])[] = [
    ...(calls.length === 0
      ? []
      : [
          [
            { type: 'thinking', thinking: '', signature: '' },
            [
              ...pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
              { type: 'signature_delta', signature: signatureOf(thinking) },
            ],
          ] as const,
        ]),
    ...(text === ''
      ? []
      : [[{ type: 'text', text: '' }, pieces(text).map((piece) => ({ type: 'text_delta', text: piece }))] as const]),
    ...calls.map(
      ({ name, arguments: given }, index) =>
        [
          { type: 'tool_use', id: `toolu_${name}_${index}`, name, input: {} },
          pieces(typeof given === 'string' ? given : JSON.stringify(given)).map((piece) => ({
            type: 'input_json_delta',
            partial_json: piece,
          })),
        ] as const,
    ),
  ];
  const reason =
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
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 15 } },
    { type: 'message_stop' },
  ];
}
