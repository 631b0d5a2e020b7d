import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [['call_8pzzjhpy'], ['call_5n3hgvcx', 'call_k2wq1m0d'], ['call_q7r8s9t0']] as const;

const part = createChunkBuilder({ id: 'chatcmpl-401', model: 'qwen3:8b', system_fingerprint: 'fp_ollama' });
const usageChunk = part({}, null, {
  choices: [],
  usage: { prompt_tokens: 160, completion_tokens: 35, total_tokens: 195 },
});
const reasoningChunk = part({ role: 'assistant', content: '', reasoning: 'I look at it.' });
const call = (id: string, name: string, argumentsText: string) =>
  part({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, index: 0, type: 'function', function: { name, arguments: argumentsText } }],
  });
const endChunk = (reason: string) => part({ role: 'assistant', content: '' }, reason);

/** Calls come whole, each in a separate part, all with index 0. */
export const ollama: Api = {
  name: 'Ollama',
  id: 'ollama',
  root: '/v1',
  // With an output format, models no longer call tools.
  settings: { ApiKey: '' },
  turns: [
    [
      reasoningChunk,
      call(IDS[0][0], 'shelf_read', getArgumentsJson(0)),
      endChunk('tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [
      call(IDS[1][0], 'shelf_read', getArgumentsJson(1, 0)),
      call(IDS[1][1], 'shelf_read', getArgumentsJson(1, 1)),
      endChunk('tool_calls'),
      usageChunk,
      'data: [DONE]',
    ],
    [reasoningChunk, call(IDS[2][0], 'shelf_list', '{}'), endChunk('stop'), usageChunk, 'data: [DONE]'],
    [
      ...['<think>\nThree {notes}.\n</think>\n\n', ...splitOutput()].map((content) =>
        part({ role: 'assistant', content }),
      ),
      endChunk('stop'),
      usageChunk,
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ headers, body }) => {
    const isUnexpectedRequest = headers.authorization !== undefined || body['response_format'] !== undefined;
    const problem = isUnexpectedRequest
      ? 'Expected neither an API key nor a response format.'
      : findRequestProblem(body, {
          ids: IDS,
          message: [{ reasoning: 'I look at it.' }, {}, { reasoning: 'I look at it.' }],
        });
    return problem === undefined ? undefined : error(400, problem, 'invalid_request_error');
  },
  usage: { inputTokens: 640, outputTokens: 140, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'not-pulled',
      response: error(404, "model 'not-pulled' not found", 'not_found_error'),
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: "model 'not-pulled' not found",
    },
    {
      name: 'not-pulled-at-all',
      response: { status: 404, body: { error: 'model "not-pulled-at-all" not found, try pulling it first' } },
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: 'try pulling it first',
    },
    {
      name: 'unparsable-call',
      response: error(500, 'error parsing tool call: raw=\'{"note": \', err=unexpected end of JSON input', 'api_error'),
      code: 'model_unavailable',
      retryable: true,
      expectedMessage: 'error parsing tool call',
    },
  ],
};

function error(status: number, message: string, type: string) {
  return { status, body: { error: { message, type, param: null, code: null } } };
}
