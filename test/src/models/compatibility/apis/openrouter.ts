import type { Json, JsonObject } from '@countersign/core';
import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [['toolu_vrtx_01'], ['tool_0_shelf_read', 'tool_1_shelf_read'], ['toolu_vrtx_04']] as const;
const FORMAT = 'anthropic-claude-v1';
/** Reasoning details that must be sent back for each turn, joined from their parts. */
const REASONING_DETAILS: readonly JsonObject[] = [
  {
    reasoning_details: [
      { type: 'reasoning.text', text: 'I look at it.', format: FORMAT, index: 0, signature: 'c2ln/1' },
    ],
  },
  {
    reasoning_details: [
      { type: 'reasoning.encrypted', data: 'QUFB', id: 'tool_0_shelf_read', format: 'google-gemini-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'QkJC', id: 'tool_1_shelf_read', format: 'google-gemini-v1', index: 0 },
    ],
  },
  { reasoning_details: [{ type: 'reasoning.summary', summary: 'The list.', format: 'openai-responses-v1', index: 0 }] },
];

const chunk = createChunkBuilder({ id: 'gen-1', provider: 'Google', model: 'anthropic/claude-sonnet-4.5' });
const part = (delta: JsonObject, reason: string | null = null, extraFields: JsonObject = {}) =>
  chunk({ role: 'assistant', content: '', ...delta }, reason, extraFields);
const usageChunk = part({}, null, {
  usage: {
    prompt_tokens: 200,
    completion_tokens: 50,
    total_tokens: 250,
    cost: 0.0042,
    is_byok: false,
    prompt_tokens_details: { cached_tokens: 100 },
    cost_details: { upstream_inference_cost: null },
    completion_tokens_details: { reasoning_tokens: 20 },
  },
});
const PROCESSING_COMMENT = ': OPENROUTER PROCESSING';
const reasoningChunk = (...details: readonly JsonObject[]) =>
  part({ reasoning: 'I', reasoning_details: details as Json });
const call = (index: number, id: string, name: string, ...argumentParts: readonly string[]) => [
  part({ content: null, tool_calls: [{ id, index, type: 'function', function: { name, arguments: '' } }] }),
  ...argumentParts.map((piece) => part({ content: null, tool_calls: [{ index, function: { arguments: piece } }] })),
];

/**
 * Reasoning comes in details of several formats, in pieces, and must be sent back unchanged. Comments keep the
 * connection open.
 */
export const openrouter: Api = {
  name: 'OpenRouter',
  id: 'openrouter',
  root: '/api/v1',
  turns: [
    [
      PROCESSING_COMMENT,
      reasoningChunk({ type: 'reasoning.text', text: 'I look ', format: FORMAT, index: 0 }),
      reasoningChunk({ type: 'reasoning.text', text: 'at it.', format: FORMAT, index: 0 }),
      reasoningChunk({ type: 'reasoning.text', signature: 'c2ln/1', format: FORMAT, index: 0 }),
      ...call(0, IDS[0][0], 'shelf_read', '{"note"', ': "alpha"}'),
      part({}, 'tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [
      ...call(0, IDS[1][0], 'shelf_read', getArgumentsJson(1, 0)),
      ...call(1, IDS[1][1], 'shelf_read', getArgumentsJson(1, 1)),
      ...(REASONING_DETAILS[1]?.['reasoning_details'] as readonly JsonObject[]).map((each) => reasoningChunk(each)),
      part({}, 'tool_calls', { native_finish_reason: 'STOP' }),
      usageChunk,
      'data: [DONE]',
    ],
    [
      PROCESSING_COMMENT,
      reasoningChunk({ type: 'reasoning.summary', summary: 'The ', format: 'openai-responses-v1', index: 0 }),
      reasoningChunk({ type: 'reasoning.summary', summary: 'list.', format: 'openai-responses-v1', index: 0 }),
      ...call(0, IDS[2][0], 'shelf_list', ''),
      part({}, 'tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [
      ...['```json\n', ...splitOutput(), '\n```'].map((content) => part({ content })),
      part({}, 'stop'),
      usageChunk,
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-openrouter') return error(401, 'No auth credentials found');
    const problem = findRequestProblem(body, { ids: IDS, message: REASONING_DETAILS });
    return problem === undefined ? undefined : error(400, 'Provider returned error', { metadata: { raw: problem } });
  },
  usage: { inputTokens: 800, outputTokens: 200, cacheReadTokens: 400, estimated: false },
  failures: [
    {
      name: 'provider-disconnects',
      response: {
        stream: [
          PROCESSING_COMMENT,
          part({ content: 'I' }),
          {
            ...part({ content: '' }, 'error'),
            error: {
              code: 502,
              message: 'Provider disconnected unexpectedly',
              metadata: { error_type: 'provider_unavailable' },
            },
          },
        ],
      },
      code: 'model_unavailable',
      retryable: true,
      expectedMessage: 'Provider disconnected unexpectedly',
    },
    {
      name: 'credits-are-spent',
      response: {
        status: 402,
        body: { error: { message: 'This request requires more credits, or fewer max_tokens.', code: 402 } },
      },
      code: 'model_rate_limited',
      retryable: false,
      expectedMessage: 'This request requires more credits',
    },
    {
      name: 'provider-refuses',
      response: {
        status: 400,
        body: {
          error: {
            message: 'Provider returned error',
            code: 400,
            metadata: { raw: '{"error":{"message":"Prompt is too long"}}', provider_name: 'X' },
          },
        },
      },
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: 'Prompt is too long',
    },
  ],
};

function error(code: number, message: string, extraFields: JsonObject = {}) {
  return { status: code, body: { error: { message, code, ...extraFields } } };
}
