import type { JsonObject } from '@countersign/core';
import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [['chatcmpl-tool-0a1b2c3d4e5f'], ['chatcmpl-tool-11aa', 'chatcmpl-tool-22bb'], ['call_0d1e2f']] as const;

const part = createChunkBuilder({ id: 'chatcmpl-v', model: 'Qwen/Qwen3-32B' });
const usageChunk = part({}, null, {
  choices: [],
  usage: { prompt_tokens: 210, total_tokens: 240, completion_tokens: 30, prompt_tokens_details: null },
});
const startChunk = part({ role: 'assistant', content: '' });
const nameChunk = (index: number, id: string, toolName: string) =>
  part({ tool_calls: [{ id, type: 'function', index, function: { name: toolName } }] });
const argumentChunks = (index: number, ...texts: readonly string[]) =>
  texts.map((text) => part({ tool_calls: [{ index, function: { arguments: text } }] }));
const finishChunks: JsonObject[] = [part({}, 'tool_calls'), usageChunk];

/**
 * Names and arguments come in separate parts, thoughts as `reasoning_content` (older versions) or `reasoning`. An empty
 * part may follow the last arguments.
 */
export const vllm: Api = {
  name: 'vLLM',
  id: 'vllm',
  root: '/v1',
  // With an output format, models call no tools.
  settings: { ApiKey: '' },
  turns: [
    [
      startChunk,
      part({ reasoning_content: 'I look ' }),
      part({ reasoning_content: 'at it.' }),
      nameChunk(0, IDS[0][0], 'shelf_read'),
      ...argumentChunks(0, '{"note": "', 'alpha', '"}'),
      ...finishChunks,
      'data: [DONE]',
    ],
    [
      startChunk,
      part({ reasoning: 'Both of them.' }),
      nameChunk(0, IDS[1][0], 'shelf_read'),
      ...argumentChunks(0, getArgumentsJson(1, 0)),
      nameChunk(1, IDS[1][1], 'shelf_read'),
      ...argumentChunks(1, '{"note": ', '"gamma"}'),
      part({ tool_calls: [{ index: 1, function: { arguments: '' } }] }),
      ...finishChunks,
      'data: [DONE]',
    ],
    [
      startChunk,
      nameChunk(0, IDS[2][0], 'shelf_list'),
      ...argumentChunks(0, '{', '}'),
      ...finishChunks,
      'data: [DONE]',
    ],
    [
      startChunk,
      part({ reasoning: 'Three {notes}.' }),
      ...['\n\n', ...splitOutput()].map((content) => part({ content })),
      part({ content: '' }, 'stop', {
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop', stop_reason: null }],
      }),
      usageChunk,
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ body }) => {
    // The real API accepts this request, but the language model then calls no tools.
    if (body['response_format'] !== undefined)
      return error(400, 'Expected no response format together with tools.', 'BadRequestError');
    const problem = findRequestProblem(body, {
      ids: IDS,
      message: [{ reasoning_content: 'I look at it.' }, { reasoning: 'Both of them.' }],
    });
    return problem === undefined ? undefined : error(400, problem, 'BadRequestError');
  },
  usage: { inputTokens: 840, outputTokens: 120, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'engine-dies',
      response: {
        stream: [
          startChunk,
          {
            error: { message: 'EngineCore encountered an issue.', type: 'InternalServerError', param: null, code: 500 },
          },
          'data: [DONE]',
        ],
      },
      code: 'model_unavailable',
      retryable: true,
      expectedMessage: 'EngineCore encountered an issue.',
    },
    {
      name: 'no-parser',
      response: error(
        400,
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        'BadRequestError',
      ),
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: '--enable-auto-tool-choice',
    },
    {
      name: 'too-long',
      response: {
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
      expectedMessage: 'maximum context length is 8192 tokens',
    },
  ],
};

function error(status: number, message: string, type: string) {
  return { status, body: { error: { message, type, param: null, code: status } } };
}
