import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [['fc_0b1c'], ['vk7zc3bd1', 'x9ab2ef34'], ['fc_2d3e']] as const;

const part = createChunkBuilder({ id: 'chatcmpl-gq', model: 'openai/gpt-oss-120b', system_fingerprint: 'fp_gq' });
const usage = {
  queue_time: 0.03,
  prompt_tokens: 150,
  prompt_time: 0.01,
  completion_tokens: 25,
  total_tokens: 175,
  total_time: 0.1,
};
const startChunk = part({ role: 'assistant', content: null }, null, { x_groq: { id: 'req_01' } });
const endChunk = (reason: string) => part({}, reason, { x_groq: { id: 'req_01', usage } });
const call = (index: number, id: string, name: string, argumentsText: string) =>
  part({ tool_calls: [{ id, type: 'function', function: { name, arguments: argumentsText }, index }] });
const reasoningChunk = part({ channel: 'analysis', reasoning: 'I look at it.' });

/** Calls come whole, each in a separate part; usage is in `x_groq` of the last part. */
export const groq: Api = {
  name: 'Groq',
  id: 'groq',
  root: '/openai/v1',
  settings: { MaxTokensParameter: 'max_completion_tokens' },
  turns: [
    [
      startChunk,
      reasoningChunk,
      call(0, IDS[0][0], 'shelf_read', getArgumentsJson(0)),
      endChunk('tool_calls'),
      'data: [DONE]',
    ],
    [
      startChunk,
      call(0, IDS[1][0], 'shelf_read', getArgumentsJson(1, 0)),
      call(1, IDS[1][1], 'shelf_read', getArgumentsJson(1, 1)),
      endChunk('tool_calls'),
      'data: [DONE]',
    ],
    [startChunk, reasoningChunk, call(0, IDS[2][0], 'shelf_list', 'null'), endChunk('tool_calls'), 'data: [DONE]'],
    [
      startChunk,
      reasoningChunk,
      ...splitOutput().map((content) => part({ channel: 'final', content })),
      endChunk('stop'),
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-groq') return error(401, 'Invalid API Key', 'invalid_api_key');
    if (body['tools'] !== undefined && body['response_format'] !== undefined)
      return error(400, 'json mode cannot be combined with tool/function calling', 'invalid_request');
    // Models without reasoning refuse the member `reasoning`, even if it is empty.
    const problem = findRequestProblem(body, {
      ids: IDS,
      message: [{ reasoning: 'I look at it.' }, {}, { reasoning: 'I look at it.' }],
    });
    return problem === undefined ? undefined : error(400, problem, 'invalid_request');
  },
  usage: { inputTokens: 600, outputTokens: 100, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'invalid-generated-call',
      response: toolUseFailedError(),
      code: 'model_answer_malformed',
      retryable: true,
      expectedMessage: 'Failed to call a function.',
      isOnce: true,
    },
    {
      name: 'only-invalid-generated-calls',
      response: { stream: [startChunk, { error: toolUseFailedError().body.error }] },
      code: 'model_answer_malformed',
      retryable: true,
      expectedMessage: 'Failed to call a function.',
    },
    {
      name: 'too-large',
      response: {
        status: 413,
        body: {
          error: {
            message: 'Request too large for model on tokens per minute (TPM): Limit 6000, Requested 9000',
            type: 'tokens',
            code: 'rate_limit_exceeded',
          },
        },
      },
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: 'Limit 6000, Requested 9000',
    },
    {
      name: 'limit-per-minute',
      response: {
        status: 429,
        headers: { 'retry-after': '7', 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6.5s' },
        body: {
          error: {
            message: 'Rate limit reached on tokens per minute (TPM).',
            type: 'tokens',
            code: 'rate_limit_exceeded',
          },
        },
      },
      code: 'model_rate_limited',
      retryable: true,
      expectedMessage: 'Rate limit reached on tokens per minute',
      retryAfterMs: 7_000,
    },
  ],
};

function toolUseFailedError() {
  return {
    status: 400,
    body: {
      error: {
        message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        type: 'invalid_request_error',
        code: 'tool_use_failed',
        failed_generation: '<function=shelf_read>{"note": "beta"}</function>',
      },
    },
  };
}

function error(status: number, message: string, code: string) {
  return { status, body: { error: { message, type: 'invalid_request_error', code } } };
}
