import type { JsonObject } from '@countersign/core';
import { isDeepStrictEqual } from 'node:util';
import { getArgumentsJson, LOOP_CALLS, splitOutput, type Api } from '../api.js';

const THINKING_BLOCK = { type: 'thinking', thinking: 'I look at it.', signature: 'EqQBCkYIBxgC/+==' };
const REDACTED_BLOCK = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' };
const toolUses = (turn: number, ids: readonly string[]): readonly JsonObject[] =>
  ids.map((id, call) => ({
    type: 'tool_use',
    id,
    name: LOOP_CALLS[turn]?.[call]?.name ?? '',
    input: LOOP_CALLS[turn]?.[call]?.arguments ?? {},
  }));
/** Blocks sent back for each turn, in this order. */
const REQUIRED_BLOCKS: readonly (readonly JsonObject[])[] = [
  [THINKING_BLOCK, ...toolUses(0, ['toolu_01A'])],
  [REDACTED_BLOCK, { type: 'text', text: 'Both of them.' }, ...toolUses(1, ['toolu_02A', 'toolu_02B'])],
  toolUses(2, ['toolu_03A']),
];

const messageStart = {
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
const contentBlock = (index: number, content: JsonObject, ...deltas: readonly JsonObject[]): readonly JsonObject[] => [
  { type: 'content_block_start', index, content_block: content },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const toolBlock = (index: number, id: string, name: string, ...argumentParts: readonly string[]) =>
  contentBlock(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...['', ...argumentParts].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  );
const textBlock = (index: number, ...pieces: readonly string[]) =>
  contentBlock(index, { type: 'text', text: '' }, ...pieces.map((piece) => ({ type: 'text_delta', text: piece })));
const messageEnd = (reason: string): readonly JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 60 } },
  { type: 'message_stop' },
];
const PING = { type: 'ping' };

/** Each block has its own events. Thinking blocks are signed and must be sent back at their original position. */
export const anthropic: Api = {
  name: 'Anthropic',
  id: 'anthropic',
  root: '',
  path: '/v1/messages',
  turns: [
    [
      messageStart,
      PING,
      ...contentBlock(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        ...['I look ', 'at it.'].map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature: THINKING_BLOCK.signature },
      ),
      ...toolBlock(1, 'toolu_01A', 'shelf_read', '{"note', '": "alpha"}'),
      ...messageEnd('tool_use'),
    ],
    [
      messageStart,
      ...contentBlock(0, REDACTED_BLOCK),
      ...textBlock(1, 'Both ', 'of them.'),
      ...toolBlock(2, 'toolu_02A', 'shelf_read', getArgumentsJson(1, 0)),
      ...toolBlock(3, 'toolu_02B', 'shelf_read', getArgumentsJson(1, 1)),
      ...messageEnd('tool_use'),
    ],
    [messageStart, ...toolBlock(0, 'toolu_03A', 'shelf_list'), ...messageEnd('tool_use')],
    [messageStart, PING, ...textBlock(0, ...splitOutput()), ...messageEnd('end_turn')],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-anthropic' && headers['x-api-key'] !== 'key-of-anthropic')
      return buildError(401, 'authentication_error', 'invalid x-api-key');
    if (headers['anthropic-version'] === undefined)
      return buildError(400, 'invalid_request_error', 'anthropic-version: header is required');
    const problem = findMessageProblem(body['messages'] as readonly JsonObject[]);
    return problem === undefined ? undefined : buildError(400, 'invalid_request_error', problem);
  },
  usage: { inputTokens: 400, outputTokens: 240, cacheReadTokens: 200, cacheWriteTokens: 40, estimated: false },
  failures: [
    {
      name: 'overloaded',
      response: {
        stream: [messageStart, PING, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
      },
      code: 'model_unavailable',
      retryable: true,
      expectedMessage: 'Overloaded',
    },
    {
      name: 'credit-is-spent',
      response: buildError(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      code: 'model_rate_limited',
      retryable: false,
      expectedMessage: 'Your credit balance is too low',
    },
    {
      name: 'too-long',
      response: buildError(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: 'prompt is too long: 210000 tokens',
    },
  ],
};

function findMessageProblem([user, ...rest]: readonly JsonObject[]): string | undefined {
  if (user?.['role'] !== 'user') return 'messages: first message must use the "user" role';
  for (const [index, { role, content }] of rest.entries()) {
    const turn = Math.floor(index / 2);
    if (index % 2 === 0) {
      if (role !== 'assistant') return 'messages: roles must alternate between "user" and "assistant"';
      if (!isDeepStrictEqual(content, REQUIRED_BLOCKS[turn]))
        return `messages.${index + 1}: blocks of turn ${turn + 1} cannot be modified: ${JSON.stringify(content)}`;
    } else {
      const ids = (content as readonly JsonObject[]).map(({ type, tool_use_id: id }) =>
        type === 'tool_result' ? id : type,
      );
      const expected = REQUIRED_BLOCKS[turn]?.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
      if (role !== 'user' || !isDeepStrictEqual(ids, expected))
        return `messages.${index + 1}: tool_use ids were found without tool_result blocks: ${JSON.stringify(ids)}`;
    }
  }
  return undefined;
}

function buildError(status: number, type: string, message: string) {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_011' } };
}
