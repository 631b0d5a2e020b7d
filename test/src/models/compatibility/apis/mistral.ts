import type { JsonObject } from '@countersign/core';
import { getArgumentsJson, createChunkBuilder, splitOutput, type Api } from '../api.js';
import { findRequestProblem } from '../find-request-problem.js';

const IDS = [['D681PevKs'], ['a1B2c3D4e', 'f5G6h7I8j'], ['kLmNoPqRs']] as const;

const part = createChunkBuilder({ id: 'cmpl-1', model: 'magistral-medium-2509', p: 'abcdef' });
const USAGE_FIELDS = {
  usage: { prompt_tokens: 90, total_tokens: 120, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 0 } },
};
const call = (index: number, id: string, name: string, argumentsText: string) => ({
  id,
  function: { name, arguments: argumentsText },
  index,
});
const thinkingContent = (text: string, extraFields: JsonObject = {}) => ({
  content: [{ type: 'thinking', thinking: [{ type: 'text', text }], ...extraFields }],
});
/** Thoughts that must be sent back, joined into one part. */
const REQUIRED_THINKING = thinkingContent('Three notes {in all}.', { closed: true });

/**
 * Calls come whole, in one part with the end and the usage. Content is a string or a list of parts, including thoughts.
 */
export const mistral: Api = {
  name: 'Mistral',
  id: 'mistral',
  root: '/v1',
  // The API always sends the usage, and refuses unknown members.
  settings: { IncludeUsage: false },
  turns: [
    [
      part({ role: 'assistant', content: '' }),
      part(
        { content: '', tool_calls: [call(0, IDS[0][0], 'shelf_read', getArgumentsJson(0))] },
        'tool_calls',
        USAGE_FIELDS,
      ),
      'data: [DONE]',
    ],
    [
      part({ role: 'assistant', content: '' }),
      part(
        {
          content: '',
          tool_calls: [
            call(0, IDS[1][0], 'shelf_read', getArgumentsJson(1, 0)),
            call(1, IDS[1][1], 'shelf_read', getArgumentsJson(1, 1)),
          ],
        },
        'tool_calls',
        USAGE_FIELDS,
      ),
      'data: [DONE]',
    ],
    [
      part({ role: 'assistant', ...thinkingContent('Three notes ') }),
      part(thinkingContent('{in all}.')),
      part(thinkingContent('', { closed: true })),
      part({ content: '', tool_calls: [call(0, IDS[2][0], 'shelf_list', '{}')] }, 'tool_calls', USAGE_FIELDS),
      'data: [DONE]',
    ],
    [
      part({ role: 'assistant', ...thinkingContent('Three notes {in all}.') }),
      ...splitOutput().map((text, index) => part({ content: index % 2 === 0 ? [{ type: 'text', text }] : text })),
      part({ content: '' }, 'stop', USAGE_FIELDS),
      'data: [DONE]',
    ],
  ],
  findRefusal: ({ headers, body }) => {
    if (headers.authorization !== 'Bearer key-of-mistral') return { status: 401, body: { detail: 'Unauthorized' } };
    const members = ['model', 'messages', 'tools', 'stream', 'response_format', 'max_tokens'];
    const unknownMember = Object.keys(body).find((name) => !members.includes(name));
    if (unknownMember !== undefined)
      return {
        status: 422,
        body: {
          detail: [{ type: 'extra_forbidden', loc: ['body', unknownMember], msg: 'Extra inputs are not permitted' }],
        },
      };
    const problem =
      findInvalidId(body['messages']) ??
      findRequestProblem(body, { ids: IDS, members, content: [null, null, REQUIRED_THINKING.content] });
    return problem === undefined ? undefined : error(problem);
  },
  usage: { inputTokens: 360, outputTokens: 120, cacheReadTokens: 0, estimated: false },
  failures: [
    {
      name: 'wrong-order',
      response: error("Unexpected role 'user' after role 'tool'"),
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: "Unexpected role 'user' after role 'tool'",
    },
    {
      name: 'not-validated',
      response: {
        status: 422,
        body: { detail: [{ type: 'missing', loc: ['body', 'messages', 2, 'name'], msg: 'Field required' }] },
      },
      code: 'model_request_refused',
      retryable: false,
      expectedMessage: 'body.messages.2.name: Field required',
    },
    {
      name: 'over-capacity',
      response: {
        status: 429,
        body: {
          object: 'error',
          message: 'Service tier capacity exceeded for this model.',
          type: 'service_tier_capacity_exceeded',
          param: null,
          code: '3505',
        },
      },
      code: 'model_rate_limited',
      retryable: true,
      expectedMessage: 'Service tier capacity exceeded for this model.',
    },
  ],
};

function findInvalidId(messages: unknown): string | undefined {
  const ids = (messages as readonly { readonly tool_call_id?: string }[]).flatMap(({ tool_call_id: id }) => id ?? []);
  const invalidId = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
  return invalidId === undefined
    ? undefined
    : `Tool call id was ${invalidId} but must be a-z, A-Z, 0-9, with a length of 9.`;
}

function error(message: string) {
  return {
    status: 400,
    body: {
      object: 'error',
      message,
      type: 'invalid_request_message_order',
      param: null,
      code: '3230',
      raw_status_code: 400,
    },
  };
}
