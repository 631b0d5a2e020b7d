import { argumentsOf, chunksOf, outputPieces, type Api } from '../api.js';
import { problemOf } from '../check-messages.js';

const IDS = [['call_8pzzjhpy'], ['call_5n3hgvcx', 'call_k2wq1m0d'], ['call_q7r8s9t0']] as const;

const part = chunksOf({ id: 'chatcmpl-401', model: 'qwen3:8b', system_fingerprint: 'fp_ollama' });
const counted = part({}, null, {
  choices: [],
  usage: { prompt_tokens: 160, completion_tokens: 35, total_tokens: 195 },
});
const thinks = part({ role: 'assistant', content: '', reasoning: 'I look at it.' });
const call = (id: string, name: string, given: string) =>
  part({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, index: 0, type: 'function', function: { name, arguments: given } }],
  });
const ends = (reason: string) => part({ role: 'assistant', content: '' }, reason);

/** Calls come whole, each in a separate part, all with index 0. */
export const ollama: Api = {
  name: 'Ollama',
  id: 'ollama',
  root: '/v1',
  // With an output format, models no longer call tools.
  settings: { ApiKey: '' },
  turns: [
    [thinks, call(IDS[0][0], 'shelf_read', argumentsOf(0)), ends('tool_calls'), counted, 'data: [DONE]'],
    [
      call(IDS[1][0], 'shelf_read', argumentsOf(1, 0)),
      call(IDS[1][1], 'shelf_read', argumentsOf(1, 1)),
      ends('tool_calls'),
      counted,
      'data: [DONE]',
    ],
    [thinks, call(IDS[2][0], 'shelf_list', '{}'), ends('stop'), counted, 'data: [DONE]'],
    [
      ...['<think>\nThree {notes}.\n</think>\n\n', ...outputPieces()].map((content) =>
        part({ role: 'assistant', content }),
      ),
      ends('stop'),
      counted,
      'data: [DONE]',
    ],
  ],
  refuses: ({ headers, body }) => {
    const odd = headers.authorization !== undefined || body['response_format'] !== undefined;
    const problem = odd
      ? 'Expected neither a key nor a format.'
      : problemOf(body, { ids: IDS, message: [{ reasoning: 'I look at it.' }, {}, { reasoning: 'I look at it.' }] });
    return problem === undefined ? undefined : error(400, problem, 'invalid_request_error');
  },
  usage: { inputTokens: 640, outputTokens: 140, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'not-pulled',
      answer: error(404, "model 'not-pulled' not found", 'not_found_error'),
      code: 'model_request_refused',
      retryable: false,
      says: "model 'not-pulled' not found",
    },
    {
      name: 'not-pulled-at-all',
      answer: { status: 404, body: { error: 'model "not-pulled-at-all" not found, try pulling it first' } },
      code: 'model_request_refused',
      retryable: false,
      says: 'try pulling it first',
    },
    {
      name: 'writes-no-call',
      answer: error(500, 'error parsing tool call: raw=\'{"note": \', err=unexpected end of JSON input', 'api_error'),
      code: 'model_unavailable',
      retryable: true,
      says: 'error parsing tool call',
    },
  ],
};

function error(status: number, message: string, type: string) {
  return { status, body: { error: { message, type, param: null, code: null } } };
}
