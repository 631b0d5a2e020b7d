import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const part = createChunkBuilder({ id: 'chatcmpl-lc', model: 'gpt-3.5-turbo', system_fingerprint: 'b6500' });
const timings = {
  prompt_n: 130,
  prompt_ms: 51.5,
  predicted_n: 22,
  predicted_ms: 407.5,
  predicted_per_second: 54.1,
  cache_n: 0,
};
const usageChunk = part({}, null, {
  choices: [],
  usage: { completion_tokens: 22, prompt_tokens: 130, total_tokens: 152, prompt_tokens_details: { cached_tokens: 0 } },
  timings,
});
const startChunk = part({ role: 'assistant', content: null });
const call = (index: number, id: object, name: string, ...argumentParts: readonly string[]) => [
  part({ tool_calls: [{ index, ...id, type: 'function', function: { name, arguments: '' } }] }),
  ...argumentParts.map((piece) => part({ tool_calls: [{ index, function: { arguments: piece } }] })),
];
const endChunks = (reason: string) => [part({}, reason), usageChunk, 'data: [DONE]'];

/** Calls have no ids, or empty ones; the last part has `timings`. */
export const llamacpp: Api = {
  name: 'llama.cpp',
  id: 'llamacpp',
  root: '/v1',
  turns: [
    [startChunk, ...call(0, { id: '' }, 'shelf_read', '{"', 'note', '":"alpha"}'), ...endChunks('tool_calls')],
    [
      startChunk,
      ...call(0, { id: '' }, 'shelf_read', getArgumentsJson(1, 0)),
      ...call(1, { id: '' }, 'shelf_read', getArgumentsJson(1, 1)),
      ...endChunks('tool_calls'),
    ],
    [
      startChunk,
      part({ reasoning_content: 'The list.' }),
      ...call(0, {}, 'shelf_list', '{}'),
      ...endChunks('tool_calls'),
    ],
    [
      startChunk,
      part({ reasoning_content: 'Three {notes}.' }),
      ...splitOutput().map((content) => part({ content })),
      ...endChunks('stop'),
    ],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-llamacpp')
      return error(401, 'Invalid API Key', 'authentication_error');
    const problem = findRequestProblem(body, { message: [{}, {}, { reasoning_content: 'The list.' }] });
    return problem === undefined ? undefined : error(400, problem, 'invalid_request_error');
  },
  usage: { inputTokens: 520, outputTokens: 88, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'too-long',
      response: {
        status: 400,
        body: {
          error: {
            code: 400,
            message: 'the request exceeds the available context size, try increasing it',
            type: 'exceed_context_size_error',
            n_prompt_tokens: 14_429,
            n_ctx: 8_192,
          },
        },
      },
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: 'the request exceeds the available context size',
    },
    {
      name: 'loading',
      response: error(503, 'Loading model', 'unavailable_error'),
      code: 'model_unavailable',
      retryable: true,
      expectedMessage: 'Loading model',
    },
    {
      name: 'not-jinja',
      response: error(500, 'tools param requires --jinja flag', 'server_error'),
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: 'tools param requires --jinja flag',
    },
  ],
};

function error(status: number, message: string, type: string) {
  return { status, body: { error: { code: status, message, type } } };
}
