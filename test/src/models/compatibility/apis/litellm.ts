import type { JsonObject } from '@countersign/core';
import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

/** Id that contains Gemini's signature. */
const LONG_ID = `call_1f2e3d__thought__${'CiQBjz1rX'.repeat(400)}`;
const IDS = [['toolu_01AbCdEf'], [LONG_ID, 'call_4c5b6a'], ['toolu_01GhIjKl']] as const;
const withSignature = (signature: string): JsonObject => ({
  provider_specific_fields: { thought_signature: signature },
});
/** Signatures come with a call, with its function, or with the message. */
const CALL_SIGNATURES = [[], [withSignature('c2ln/2=='), {}], [{}]] as const;
const FUNCTION_SIGNATURES = [[], [withSignature('c2ln/2=='), {}], [withSignature('c2ln/3==')]] as const;
const REQUIRED_THINKING: readonly JsonObject[] = [
  {
    reasoning_content: 'I look at it.',
    thinking_blocks: [{ type: 'thinking', thinking: 'I look at it.', signature: 'c2ln/1==' }],
  },
  { provider_specific_fields: { thought_signatures: ['c2ln/a', 'c2ln/b'] } },
  { thinking_blocks: [{ type: 'redacted_thinking', data: 'RW5jcnlwdGVk' }] },
];

const part = createChunkBuilder({ id: 'chatcmpl-ll', model: 'claude-sonnet-4-5' });
const usageChunk = part({}, null, {
  usage: {
    completion_tokens: 45,
    prompt_tokens: 190,
    total_tokens: 235,
    prompt_tokens_details: { cached_tokens: 50, cache_creation_tokens: 30 },
    cache_creation_input_tokens: 30,
    cache_read_input_tokens: 50,
  },
});
const thinkingChunk = (thinking: string, signature: string) =>
  part({
    ...(thinking === '' ? {} : { reasoning_content: thinking }),
    thinking_blocks: [{ type: 'thinking', thinking, signature }],
    provider_specific_fields: { thinking_blocks: [{ type: 'thinking', thinking, signature }] },
    content: '',
  });
const call = (turn: 0 | 1 | 2, index: number, name: string, ...argumentParts: readonly string[]) => [
  part({
    tool_calls: [
      {
        id: IDS[turn][index] ?? '',
        function: { arguments: '', name, ...FUNCTION_SIGNATURES[turn][index] },
        type: 'function',
        index,
        ...CALL_SIGNATURES[turn][index],
      },
    ],
  }),
  ...argumentParts.map((piece) => part({ tool_calls: [{ function: { arguments: piece }, type: 'function', index }] })),
];

/** A gateway. Blocks of thoughts come in pieces with a signature at the end; ids may have thousands of characters. */
export const litellm: Api = {
  name: 'LiteLLM',
  id: 'litellm',
  root: '',
  turns: [
    [
      thinkingChunk('I look ', ''),
      thinkingChunk('at it.', ''),
      thinkingChunk('', 'c2ln/1=='),
      ...call(0, 0, 'shelf_read', '', '{"note": "al', 'pha"}'),
      part({}, 'tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [
      part({ content: '', provider_specific_fields: { thought_signatures: ['c2ln/a'] } }),
      part({ content: '', provider_specific_fields: { thought_signatures: ['c2ln/b'] } }),
      ...call(1, 0, 'shelf_read', getArgumentsJson(1, 0)),
      ...call(1, 1, 'shelf_read', getArgumentsJson(1, 1)),
      part({}, 'tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [
      part({ thinking_blocks: [{ type: 'redacted_thinking', data: 'RW5jcnlwdGVk' }], content: '' }),
      ...call(2, 0, 'shelf_list', ''),
      part({}, 'tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [
      part({ role: 'assistant', content: 'Here it is:\n\n' }),
      ...splitOutput().map((content) => part({ content })),
      part({}, 'stop'),
      usageChunk,
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-litellm')
      return error(401, 'Authentication Error, Invalid proxy server token', 'auth_error');
    const problem = findRequestProblem(body, {
      ids: IDS,
      message: REQUIRED_THINKING,
      calls: CALL_SIGNATURES,
      functions: FUNCTION_SIGNATURES,
    });
    if (problem === undefined) return undefined;
    return error(400, `litellm.BadRequestError: AnthropicException - ${problem}`, 'invalid_request_error');
  },
  usage: { inputTokens: 760, outputTokens: 180, cacheReadTokens: 200, cacheWriteTokens: 120, estimated: false },
  failures: [
    {
      name: 'limit-per-minute',
      response: {
        ...error(
          429,
          'litellm.RateLimitError: AnthropicException - Number of request tokens has exceeded your rate limit',
          'throttling_error',
        ),
        headers: { 'retry-after': '30' },
      },
      code: 'model_rate_limited',
      retryable: true,
      expectedMessage: 'litellm.RateLimitError: AnthropicException - Number of request tokens',
      retryAfterMs: 30_000,
    },
    {
      name: 'budget-is-spent',
      response: error(400, 'Budget has been exceeded! Current cost: 12.5, Max budget: 10.0', 'budget_exceeded'),
      code: 'model_rate_limited',
      retryable: false,
      expectedMessage: 'Budget has been exceeded!',
    },
    {
      name: 'invalid-call-of-the-upstream-model',
      response: error(400, 'litellm.BadRequestError: GroqException - {"error":{"code":"tool_use_failed"}}', null),
      code: 'model_answer_malformed',
      retryable: true,
      expectedMessage: 'litellm.BadRequestError: GroqException',
      isOnce: true,
    },
  ],
};

function error(status: number, message: string, type: string | null) {
  return { status, body: { error: { message, type, param: null, code: String(status) } } };
}
