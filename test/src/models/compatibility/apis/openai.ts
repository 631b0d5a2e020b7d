import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [
  ['call_Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8'],
  ['call_beta0000000000000000001', 'call_gamma000000000000000002'],
  ['call_list'],
] as const;

const chunk = createChunkBuilder({
  id: 'chatcmpl-1',
  model: 'gpt-5-mini-2025-08-07',
  service_tier: 'default',
  system_fingerprint: null,
});
const part: typeof chunk = (delta, reason) => chunk(delta, reason, { usage: null, obfuscation: 'qX0' });
const usageChunk = chunk({}, null, {
  choices: [],
  usage: {
    prompt_tokens: 300,
    completion_tokens: 80,
    total_tokens: 380,
    prompt_tokens_details: { cached_tokens: 128, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 64, audio_tokens: 0, accepted_prediction_tokens: 0 },
  },
});
const call = (index: number, id: string, name: string) =>
  part({
    ...(index === 0 ? { role: 'assistant', content: null } : {}),
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
    refusal: null,
  });
const argumentChunks = (index: number, text: string) =>
  [text.slice(0, 5), text.slice(5)].map((piece) => part({ tool_calls: [{ index, function: { arguments: piece } }] }));

/** Arguments come in pieces, by index; the name and the id once. Usage comes last, without a choice. */
export const openai: Api = {
  name: 'OpenAI',
  id: 'openai',
  root: '/v1',
  turns: [
    [
      call(0, IDS[0][0], 'shelf_read'),
      ...argumentChunks(0, getArgumentsJson(0)),
      part({}, 'tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [
      call(0, IDS[1][0], 'shelf_read'),
      ...argumentChunks(0, getArgumentsJson(1, 0)),
      call(1, IDS[1][1], 'shelf_read'),
      ...argumentChunks(1, getArgumentsJson(1, 1)),
      part({}, 'tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [call(0, IDS[2][0], 'shelf_list'), ...argumentChunks(0, '{}'), part({}, 'tool_calls'), usageChunk, 'data: [DONE]'],
    [
      part({ role: 'assistant', content: '', refusal: null }),
      ...splitOutput().map((content) => part({ content })),
      part({}, 'stop'),
      usageChunk,
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-openai')
      return error(401, 'Incorrect API key provided.', 'invalid_api_key');
    if (body['max_tokens'] !== undefined)
      return error(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model.",
        'unsupported_parameter',
      );
    const problem = findRequestProblem(body, { ids: IDS });
    return problem === undefined ? undefined : error(400, problem, 'invalid_value');
  },
  usage: { inputTokens: 1_200, outputTokens: 320, cacheReadTokens: 512, estimated: false },
  failures: [
    {
      name: 'quota-is-spent',
      response: {
        status: 429,
        body: {
          error: {
            message: 'You exceeded your current quota, please check your plan and billing details.',
            type: 'insufficient_quota',
            param: null,
            code: 'insufficient_quota',
          },
        },
      },
      code: 'model_rate_limited',
      retryable: false,
      expectedMessage: 'You exceeded your current quota',
    },
    {
      name: 'server-had-an-error',
      response: {
        stream: [
          call(0, 'call_x', 'shelf_read'),
          {
            error: {
              message: 'The server had an error while processing your request.',
              type: 'server_error',
              code: null,
            },
          },
        ],
      },
      code: 'model_unavailable',
      retryable: true,
      expectedMessage: 'The server had an error while processing your request.',
    },
  ],
};

function error(status: number, message: string, code: string) {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } };
}
