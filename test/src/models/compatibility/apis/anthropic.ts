import type { JsonObject } from '@countersign/core';
import { isDeepStrictEqual } from 'node:util';
import { argumentsOf, LOOP, outputPieces, type Api } from '../api.js';

const THINKING = { type: 'thinking', thinking: 'I look at it.', signature: 'EqQBCkYIBxgC/+==' };
const REDACTED = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' };
const uses = (turn: number, ids: readonly string[]): readonly JsonObject[] =>
  ids.map((id, call) => ({
    type: 'tool_use',
    id,
    name: LOOP[turn]?.[call]?.name ?? '',
    input: LOOP[turn]?.[call]?.arguments ?? {},
  }));
/** Blocks sent back for each turn, in this order. */
const BACK: readonly (readonly JsonObject[])[] = [
  [THINKING, ...uses(0, ['toolu_01A'])],
  [REDACTED, { type: 'text', text: 'Both of them.' }, ...uses(1, ['toolu_02A', 'toolu_02B'])],
  uses(2, ['toolu_03A']),
];

const starts = {
  type: 'message_start',
  message: {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 40,
      cache_creation_input_tokens: 10,
      cache_read_input_tokens: 50,
      output_tokens: 1,
      service_tier: 'standard',
    },
  },
};
const block = (index: number, content: JsonObject, ...deltas: readonly JsonObject[]): readonly JsonObject[] => [
  { type: 'content_block_start', index, content_block: content },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const tool = (index: number, id: string, name: string, ...given: readonly string[]) =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...['', ...given].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  );
const text = (index: number, ...pieces: readonly string[]) =>
  block(index, { type: 'text', text: '' }, ...pieces.map((piece) => ({ type: 'text_delta', text: piece })));
const ends = (reason: string): readonly JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 60 } },
  { type: 'message_stop' },
];
const PING = { type: 'ping' };

/** Blocks have separate events; thoughts are signed and sent back in their place. */
export const anthropic: Api = {
  name: 'Anthropic',
  id: 'anthropic',
  root: '',
  path: '/v1/messages',
  turns: [
    [
      starts,
      PING,
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        ...['I look ', 'at it.'].map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature: THINKING.signature },
      ),
      ...tool(1, 'toolu_01A', 'shelf_read', '{"note', '": "alpha"}'),
      ...ends('tool_use'),
    ],
    [
      starts,
      ...block(0, REDACTED),
      ...text(1, 'Both ', 'of them.'),
      ...tool(2, 'toolu_02A', 'shelf_read', argumentsOf(1, 0)),
      ...tool(3, 'toolu_02B', 'shelf_read', argumentsOf(1, 1)),
      ...ends('tool_use'),
    ],
    [starts, ...tool(0, 'toolu_03A', 'shelf_list'), ...ends('tool_use')],
    [starts, PING, ...text(0, ...outputPieces()), ...ends('end_turn')],
  ],
  refuses: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-anthropic' && headers['x-api-key'] !== 'key-of-anthropic')
      return error(401, 'authentication_error', 'invalid x-api-key');
    if (headers['anthropic-version'] === undefined)
      return error(400, 'invalid_request_error', 'anthropic-version: header is required');
    const problem = problemOf(body['messages'] as readonly JsonObject[]);
    return problem === undefined ? undefined : error(400, 'invalid_request_error', problem);
  },
  usage: { inputTokens: 400, outputTokens: 240, cacheReadTokens: 200, cacheWriteTokens: 40, estimated: false },
  failures: [
    {
      name: 'overloaded',
      answer: { stream: [starts, PING, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }] },
      code: 'model_unavailable',
      retryable: true,
      says: 'Overloaded',
    },
    {
      name: 'credit-is-spent',
      answer: error(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      code: 'model_rate_limited',
      retryable: false,
      says: 'Your credit balance is too low',
    },
    {
      name: 'too-long',
      answer: error(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      code: 'model_request_refused',
      retryable: false,
      says: 'prompt is too long: 210000 tokens',
    },
  ],
};

function problemOf([user, ...rest]: readonly JsonObject[]): string | undefined {
  if (user?.['role'] !== 'user') return 'messages: first message must use the "user" role';
  for (const [index, { role, content }] of rest.entries()) {
    const turn = Math.floor(index / 2);
    if (index % 2 === 0) {
      if (role !== 'assistant') return 'messages: roles must alternate between "user" and "assistant"';
      if (!isDeepStrictEqual(content, BACK[turn]))
        return `messages.${index + 1}: blocks of turn ${turn + 1} cannot be modified: ${JSON.stringify(content)}`;
    } else {
      const ids = (content as readonly JsonObject[]).map(({ type, tool_use_id: id }) =>
        type === 'tool_result' ? id : type,
      );
      const expected = BACK[turn]?.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
      if (role !== 'user' || !isDeepStrictEqual(ids, expected))
        return `messages.${index + 1}: tool_use ids were found without tool_result blocks: ${JSON.stringify(ids)}`;
    }
  }
  return undefined;
}

function error(status: number, type: string, message: string) {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_011' } };
}
