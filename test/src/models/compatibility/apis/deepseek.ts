import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [['call_00_abc'], ['call_00_def', 'call_01_ghi'], ['call_00_jkl']] as const;
/** Reasoning of each turn. It may be empty, and must be sent back anyway. */
const REASONING = [
  { reasoning_content: 'I look at it.' },
  { reasoning_content: '' },
  { reasoning_content: '再看一遍。' },
];

const chunk = createChunkBuilder({ id: 'ds-1', model: 'deepseek-v4-flash', system_fingerprint: 'fp_prod' });
const part: typeof chunk = (delta, reason, extraFields) => chunk(delta, reason, { usage: null, ...extraFields });
const USAGE_FIELDS = {
  usage: {
    prompt_tokens: 120,
    completion_tokens: 40,
    total_tokens: 160,
    prompt_tokens_details: { cached_tokens: 64 },
    completion_tokens_details: { reasoning_tokens: 30 },
    prompt_cache_hit_tokens: 64,
    prompt_cache_miss_tokens: 56,
  },
};
const reasoningChunks = (text: string) => [
  part({ role: 'assistant', content: null, reasoning_content: '' }),
  ...(text.match(/.{1,4}/gu) ?? []).map((piece) => part({ content: null, reasoning_content: piece })),
];
const call = (index: number, id: string, name: string, ...argumentParts: readonly string[]) => [
  part({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
  ...argumentParts.map((piece) => part({ tool_calls: [{ index, function: { arguments: piece } }] })),
];
const KEEP_ALIVE = ': keep-alive';

/** Thoughts come first and must be sent back with calls. Comments keep the connection open. */
export const deepseek: Api = {
  name: 'DeepSeek',
  id: 'deepseek',
  root: '',
  turns: [
    [
      KEEP_ALIVE,
      ...reasoningChunks('I look at it.'),
      ...call(0, IDS[0][0], 'shelf_read', '{"note": ', '"alpha"}'),
      part({ content: '' }, 'tool_calls', USAGE_FIELDS),
      'data: [DONE]',
    ],
    [
      ...reasoningChunks(''),
      ...call(0, IDS[1][0], 'shelf_read', getArgumentsJson(1, 0)),
      ...call(1, IDS[1][1], 'shelf_read', getArgumentsJson(1, 1)),
      part({ content: '' }, 'tool_calls', USAGE_FIELDS),
      'data: [DONE]',
    ],
    [
      ...reasoningChunks('再看一遍。'),
      KEEP_ALIVE,
      ...call(0, IDS[2][0], 'shelf_list', '{}'),
      part({ content: '' }, 'tool_calls', USAGE_FIELDS),
      'data: [DONE]',
    ],
    [
      ...reasoningChunks('Three {notes}.'),
      ...splitOutput().map((content) => part({ content, reasoning_content: null })),
      part({ content: '', reasoning_content: null }, 'stop', USAGE_FIELDS),
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-deepseek')
      return error(401, 'Authentication Fails', 'authentication_error');
    if ((body['response_format'] as { readonly type: string } | undefined)?.type === 'json_schema')
      return error(400, 'This response_format type is unavailable now', 'invalid_request_error');
    const problem = findRequestProblem(body, { ids: IDS, message: REASONING });
    if (problem === undefined) return undefined;
    return error(
      400,
      `The reasoning_content in the thinking mode must be passed back to the API. (${problem})`,
      'invalid_request_error',
    );
  },
  usage: { inputTokens: 480, outputTokens: 160, cacheReadTokens: 256, estimated: false },
  failures: [
    {
      name: 'balance-is-spent',
      response: error(402, 'Insufficient Balance', 'unknown_error'),
      code: 'model_rate_limited',
      retryable: false,
      expectedMessage: 'Insufficient Balance',
    },
    {
      name: 'out-of-resources',
      response: {
        stream: [...reasoningChunks('I look'), part({ content: '' }, 'insufficient_system_resource'), 'data: [DONE]'],
      },
      code: 'model_unavailable',
      retryable: true,
      expectedMessage: '"insufficient_system_resource"',
    },
  ],
};

function error(status: number, message: string, type: string) {
  return { status, body: { error: { message, type, param: null, code: 'invalid_request_error' } } };
}
