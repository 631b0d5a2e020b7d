import type { JsonObject } from '@countersign/core';
import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [['function-call-1'], ['function-call-2', 'function-call-3'], ['function-call-4']] as const;
const withSignature = (signature: string) => ({ extra_content: { google: { thought_signature: signature } } });
/** Signatures of each turn, with its first call. */
const SIGNATURES: readonly (readonly JsonObject[])[] = [
  [withSignature('c2lnbmVk/1+=')],
  [withSignature('c2lnbmVk/2+=')],
  [withSignature('c2lnbmVk/3+=')],
];

const part = createChunkBuilder({ id: 'gm-1', model: 'gemini-3-flash-preview' });
/** Usage, sent with each part. Thoughts are counted only in the total. */
const USAGE_FIELDS = { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 150 } };
const call = (id: string, name: string, argumentsText: string, extraFields: JsonObject = {}) => ({
  ...extraFields,
  function: { arguments: argumentsText, name },
  id,
  type: 'function',
});

/** Calls have no index, come whole and end with "stop". Signatures come with the first call, or in a separate part. */
export const gemini: Api = {
  name: 'Gemini',
  id: 'gemini',
  root: '/v1beta/openai',
  // Models before version 3 accept no output format together with tools.
  turns: [
    [
      part(
        {
          role: 'assistant',
          tool_calls: [call(IDS[0][0], 'shelf_read', getArgumentsJson(0), withSignature('c2lnbmVk/1+='))],
        },
        'stop',
        USAGE_FIELDS,
      ),
      'data: [DONE]',
    ],
    [
      part(
        {
          role: 'assistant',
          tool_calls: [call(IDS[1][0], 'shelf_read', getArgumentsJson(1, 0), withSignature('c2lnbmVk/2+='))],
        },
        null,
        USAGE_FIELDS,
      ),
      part(
        { role: 'assistant', tool_calls: [call(IDS[1][1], 'shelf_read', getArgumentsJson(1, 1))] },
        'stop',
        USAGE_FIELDS,
      ),
      'data: [DONE]',
    ],
    [
      part({ role: 'assistant', tool_calls: [call(IDS[2][0], 'shelf_list', '{}')] }, null, USAGE_FIELDS),
      part(
        { role: 'assistant', tool_calls: [{ ...withSignature('c2lnbmVk/3+='), id: IDS[2][0], type: 'function' }] },
        'stop',
        USAGE_FIELDS,
      ),
      'data: [DONE]',
    ],
    [
      part({ role: 'assistant', content: '<thought>Three notes {in all}.</thought>' }, null, USAGE_FIELDS),
      ...splitOutput().map((content) => part({ role: 'assistant', content }, null, USAGE_FIELDS)),
      part({ role: 'assistant', content: '', ...withSignature('c2lnbmVk/4+=') }, 'stop', USAGE_FIELDS),
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-gemini')
      return error(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT');
    if (body['tools'] !== undefined && body['response_format'] !== undefined)
      return error(
        400,
        "Function calling with a response mime type: 'application/json' is unsupported",
        'INVALID_ARGUMENT',
      );
    const problem = findRequestProblem(body, { ids: IDS, calls: SIGNATURES });
    return problem === undefined
      ? undefined
      : error(400, `Function call is missing a thought_signature: ${problem}`, 'INVALID_ARGUMENT');
  },
  // 50 for thoughts and output in each turn.
  usage: { inputTokens: 400, outputTokens: 200, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'limit-per-minute',
      response: quotaError('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '12.5s'),
      code: 'model_rate_limited',
      retryable: true,
      expectedMessage: 'You exceeded your current quota',
      retryAfterMs: 12_500,
    },
    {
      name: 'limit-per-day',
      response: quotaError('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '34s'),
      code: 'model_rate_limited',
      retryable: false,
      expectedMessage: 'You exceeded your current quota',
    },
    {
      name: 'not-in-the-plan',
      response: wrapInnerError(
        'Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0, model: gemini-3-pro',
      ),
      code: 'model_rate_limited',
      retryable: false,
      expectedMessage: 'limit: 0, model: gemini-3-pro',
    },
    {
      name: 'bad-key',
      response: error(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT'),
      code: 'model_unauthorized',
      retryable: false,
      expectedMessage: 'API key not valid',
    },
    {
      name: 'malformed-call',
      response: { stream: [part({ role: 'assistant' }, 'MALFORMED_FUNCTION_CALL', USAGE_FIELDS), 'data: [DONE]'] },
      code: 'model_answer_malformed',
      retryable: true,
      expectedMessage: '"MALFORMED_FUNCTION_CALL"',
    },
  ],
};

/** Returns a list with one error, a form that only this API has. */
function error(code: number, message: string, status: string, extraFields: JsonObject = {}) {
  return { status: code, body: [{ error: { code, message, status, ...extraFields } }] };
}

/** Returns a quota error. Only the details name the quota; a delay is included even for daily quotas. */
function quotaError(quotaId: string, retryDelay: string) {
  return error(
    429,
    'You exceeded your current quota, please check your plan and billing details.',
    'RESOURCE_EXHAUSTED',
    {
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          'violations': [{ quotaMetric: 'requests', quotaId }],
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
      ],
    },
  );
}

/** Returns an error whose message contains another error as JSON. */
function wrapInnerError(message: string) {
  const [inner] = error(429, message, 'RESOURCE_EXHAUSTED').body;
  return { status: 429, body: { error: { message: JSON.stringify(inner), code: 429, status: 'Too Many Requests' } } };
}
