import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [
  ['call_azure0000000000000001'],
  ['call_azure0000000000000002', 'call_azure0000000000000003'],
  ['call_azure4'],
] as const;
const SAFE_FILTER_RESULTS = {
  hate: { filtered: false, severity: 'safe' },
  violence: { filtered: false, severity: 'safe' },
};

const part = createChunkBuilder({ id: 'chatcmpl-az', model: 'gpt-4.1-2025-04-14', system_fingerprint: 'fp_1' });
/** Chunk of the prompt filter, sent before the first part. */
const promptFilterChunk = {
  choices: [],
  created: 0,
  id: '',
  model: '',
  object: '',
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: SAFE_FILTER_RESULTS }],
};
/** Chunk of the asynchronous filter, which has no delta. */
const annotationChunk = {
  id: '',
  object: '',
  created: 0,
  model: '',
  choices: [
    {
      index: 0,
      finish_reason: null,
      content_filter_results: SAFE_FILTER_RESULTS,
      content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
    },
  ],
  usage: null,
};
const usageChunk = part({}, null, {
  choices: [],
  usage: { prompt_tokens: 200, completion_tokens: 20, total_tokens: 220 },
});
const call = (index: number, id: string, name: string) =>
  part({
    ...(index === 0 ? { role: 'assistant', content: null, refusal: null } : {}),
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
  });
const argumentsChunk = (index: number, text: string) =>
  part({ tool_calls: [{ index, function: { arguments: text } }] });
const turnChunks = (...parts: readonly ReturnType<typeof part>[]) => [
  promptFilterChunk,
  ...parts,
  annotationChunk,
  usageChunk,
  'data: [DONE]',
];

/** The filter sends parts without a choice or a delta. The model is a deployment; the key may be a bearer token. */
export const azure: Api = {
  name: 'Azure OpenAI',
  id: 'azure',
  root: '/openai/v1',
  settings: { MaxTokensParameter: 'max_completion_tokens' },
  turns: [
    turnChunks(call(0, IDS[0][0], 'shelf_read'), argumentsChunk(0, getArgumentsJson(0)), part({}, 'tool_calls')),
    turnChunks(
      call(0, IDS[1][0], 'shelf_read'),
      argumentsChunk(0, getArgumentsJson(1, 0)),
      call(1, IDS[1][1], 'shelf_read'),
      argumentsChunk(1, getArgumentsJson(1, 1)),
      part({}, 'tool_calls'),
    ),
    turnChunks(call(0, IDS[2][0], 'shelf_list'), argumentsChunk(0, '{}'), part({}, 'tool_calls')),
    turnChunks(
      part({ role: 'assistant', content: '' }),
      ...splitOutput().map((content) => part({ content })),
      part({}, 'stop', {
        choices: [{ index: 0, delta: {}, finish_reason: 'stop', content_filter_results: SAFE_FILTER_RESULTS }],
      }),
    ),
  ],
  findRefusal: ({ headers, body }) => {
    const key = headers['api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
    if (key !== 'key-of-azure') return error(401, '401', 'Access denied due to invalid subscription key.');
    const problem = findRequestProblem(body, { ids: IDS });
    return problem === undefined ? undefined : error(400, 'invalid_request_error', problem);
  },
  usage: { inputTokens: 800, outputTokens: 80, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'prompt-is-filtered',
      response: {
        status: 400,
        body: {
          error: {
            message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
            type: null,
            param: 'prompt',
            code: 'content_filter',
            status: 400,
            innererror: {
              code: 'ResponsibleAIPolicyViolation',
              content_filter_result: { hate: { filtered: true, severity: 'high' } },
            },
          },
        },
      },
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: "triggering Azure OpenAI's content management policy",
    },
    {
      name: 'no-deployment',
      response: error(404, 'DeploymentNotFound', 'The API deployment for this resource does not exist.'),
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: 'The API deployment for this resource does not exist.',
    },
    {
      name: 'answer-is-filtered',
      response: {
        stream: [
          promptFilterChunk,
          part({ role: 'assistant', content: 'I' }),
          part({}, 'content_filter'),
          'data: [DONE]',
        ],
      },
      code: 'model_declined',
      retryable: false,
      expectedMessage: 'declined to answer',
    },
  ],
};

function error(status: number, code: string, message: string) {
  return { status, body: { error: { code, message } } };
}
