import type { JsonObject } from '@countersign/core';
import { argumentsOf, chunksOf, outputPieces, type Api } from '../api.js';
import { problemOf } from '../check-messages.js';

const IDS = [['chatcmpl-tool-0a1b2c3d4e5f'], ['chatcmpl-tool-11aa', 'chatcmpl-tool-22bb'], ['call_0d1e2f']] as const;

const part = chunksOf({ id: 'chatcmpl-v', model: 'Qwen/Qwen3-32B' });
const counted = part({}, null, {
  choices: [],
  usage: { prompt_tokens: 210, total_tokens: 240, completion_tokens: 30, prompt_tokens_details: null },
});
const begins = part({ role: 'assistant', content: '' });
const name = (index: number, id: string, called: string) =>
  part({ tool_calls: [{ id, type: 'function', index, function: { name: called } }] });
const given = (index: number, ...texts: readonly string[]) =>
  texts.map((text) => part({ tool_calls: [{ index, function: { arguments: text } }] }));
const reason: JsonObject[] = [part({}, 'tool_calls'), counted];

/**
 * Name and arguments come in separate parts; thoughts as `reasoning_content` (older) or `reasoning`; a repeated end.
 */
export const vllm: Api = {
  name: 'vLLM',
  id: 'vllm',
  root: '/v1',
  // With an output format, models call no tools.
  settings: { ApiKey: '' },
  turns: [
    [
      begins,
      part({ reasoning_content: 'I look ' }),
      part({ reasoning_content: 'at it.' }),
      name(0, IDS[0][0], 'shelf_read'),
      ...given(0, '{"note": "', 'alpha', '"}'),
      ...reason,
      'data: [DONE]',
    ],
    [
      begins,
      part({ reasoning: 'Both of them.' }),
      name(0, IDS[1][0], 'shelf_read'),
      ...given(0, argumentsOf(1, 0)),
      name(1, IDS[1][1], 'shelf_read'),
      ...given(1, '{"note": ', '"gamma"}'),
      part({ tool_calls: [{ index: 1, function: { arguments: '' } }] }),
      ...reason,
      'data: [DONE]',
    ],
    [begins, name(0, IDS[2][0], 'shelf_list'), ...given(0, '{', '}'), ...reason, 'data: [DONE]'],
    [
      begins,
      part({ reasoning: 'Three {notes}.' }),
      ...['\n\n', ...outputPieces()].map((content) => part({ content })),
      part({ content: '' }, 'stop', {
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop', stop_reason: null }],
      }),
      counted,
      'data: [DONE]',
    ],
  ],
  refuses: ({ body }) => {
    // The API would not report it: the model would respond without its tools.
    if (body['response_format'] !== undefined) return error(400, 'Expected no format beside tools.', 'BadRequestError');
    const problem = problemOf(body, {
      ids: IDS,
      message: [{ reasoning_content: 'I look at it.' }, { reasoning: 'Both of them.' }],
    });
    return problem === undefined ? undefined : error(400, problem, 'BadRequestError');
  },
  usage: { inputTokens: 840, outputTokens: 120, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'engine-dies',
      answer: {
        stream: [
          begins,
          {
            error: { message: 'EngineCore encountered an issue.', type: 'InternalServerError', param: null, code: 500 },
          },
          'data: [DONE]',
        ],
      },
      code: 'model_unavailable',
      retryable: true,
      says: 'EngineCore encountered an issue.',
    },
    {
      name: 'no-parser',
      answer: error(
        400,
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        'BadRequestError',
      ),
      code: 'model_request_refused',
      retryable: false,
      says: '--enable-auto-tool-choice',
    },
    {
      name: 'too-long',
      answer: {
        status: 400,
        body: {
          object: 'error',
          message: "This model's maximum context length is 8192 tokens.",
          type: 'BadRequestError',
          param: null,
          code: 400,
        },
      },
      code: 'model_request_refused',
      retryable: false,
      says: 'maximum context length is 8192 tokens',
    },
  ],
};

function error(status: number, message: string, type: string) {
  return { status, body: { error: { message, type, param: null, code: status } } };
}
