import type { JsonObject } from '@countersign/core';
import type { Exchange } from './exchange.spec.support.js';

/** Behaviour of a server, and the results of an agent that uses its tool in four turns. */
export interface Behaviour {
  /** Text of the first column in the table of `docs/mcp.md`. The second column contains `result`. */
  readonly title: string;
  readonly result: string;
  /** Results that the language model receives, or the reason why the tool cannot be used. */
  readonly expectedResults: readonly string[] | RegExp;
}

export interface HttpBehaviour extends Behaviour {
  /** Whether the server supports only revision 2026-07-28. */
  readonly isStateless?: boolean;
  /** Whether the server starts a session. */
  readonly hasSession?: boolean;
  readonly tools?: readonly unknown[];
  /** Handles a message differently from the default. @returns whether it was handled */
  handle?(exchange: Exchange): boolean;
}

const FOUND_RESULTS = ['found a', 'found b', 'found c', 'found d'];
const repeatResult = (resultText: string): readonly string[] => Array.from({ length: 4 }, () => resultText);

/** Returns a handler for calls of the tool only. */
const onToolCall =
  (respond: (exchange: Exchange) => void): HttpBehaviour['handle'] =>
  (exchange) => {
    if (exchange.message.method !== 'tools/call') return false;
    respond(exchange);
    return true;
  };
const onToolList =
  (respond: (exchange: Exchange) => void): HttpBehaviour['handle'] =>
  (exchange) => {
    if (exchange.message.method !== 'tools/list') return false;
    respond(exchange);
    return true;
  };

export const TOOL = { name: 'find', description: 'Finds.', inputSchema: { type: 'object', properties: { q: {} } } };

const withSchema = (inputSchema: JsonObject): readonly object[] => [{ ...TOOL, inputSchema }];

export const HTTP_BEHAVIOURS: readonly HttpBehaviour[] = [
  { title: 'JSON responses, with a session', result: 'completed', expectedResults: FOUND_RESULTS, hasSession: true },
  { title: 'JSON responses, without sessions', result: 'completed', expectedResults: FOUND_RESULTS },
  {
    title: 'streams that end with the response',
    result: 'completed',
    expectedResults: FOUND_RESULTS,
    handle: onToolCall((exchange) => exchange.startStream(exchange.buildResponse()).response.end()),
  },
  {
    title: 'streams that stay open after the response',
    result: 'completed',
    expectedResults: FOUND_RESULTS,
    handle: onToolCall((exchange) => exchange.startStream(exchange.buildResponse())),
  },
  {
    title: 'progress, logs and comments before the response',
    result: 'completed',
    expectedResults: FOUND_RESULTS,
    handle: onToolCall((exchange) => {
      exchange.startStream(
        { method: 'notifications/progress', params: { progressToken: 'a', progress: 1 } },
        { method: 'notifications/message', params: { level: 'info', data: 'Looking.' } },
      );
      exchange.response.write(': still here\n\n');
      exchange.sendEvents(exchange.buildResponse()).response.end();
    }),
  },
  {
    title: '`ping` during a call',
    result: 'answered; completed',
    expectedResults: FOUND_RESULTS,
    handle: onToolCall((exchange) =>
      exchange.startStream().sendRequest('ping', ({ result }) => {
        if (result !== undefined) exchange.sendEvents(exchange.buildResponse()).response.end();
      }),
    ),
  },
  {
    title: '`roots/list`, `sampling/createMessage` and `elicitation/create` during a call',
    result: 'refused; completed',
    expectedResults: FOUND_RESULTS,
    handle: onToolCall((exchange) =>
      exchange.startStream().sendRequest('roots/list', () =>
        exchange.sendRequest('sampling/createMessage', () =>
          exchange.sendRequest('elicitation/create', ({ error }) => {
            if (error !== undefined) exchange.sendEvents(exchange.buildResponse()).response.end();
          }),
        ),
      ),
    ),
  },
  {
    title: 'a stream that breaks and can be resumed',
    result: 'resumed; completed',
    expectedResults: FOUND_RESULTS,
    handle: (exchange) => {
      const { call, message, memory, response } = exchange;
      if (
        call.method === 'GET' &&
        call.headers['last-event-id'] === 'half' &&
        memory.undeliveredResponse !== undefined
      ) {
        exchange.startStream(memory.undeliveredResponse).response.end();
        return true;
      }
      if (message.method !== 'tools/call' || !exchange.isFirst('b')) return false;
      memory.undeliveredResponse = exchange.buildResponse();
      exchange.startStream().response.write('retry: 1\nid: half\ndata:\n\n', () => response.destroy());
      return true;
    },
  },
  ...(
    [
      [404, ''],
      [400, '{"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}'],
      [200, '{"jsonrpc":"2.0","id":ID,"error":{"code":-32002,"message":"Session not found"}}'],
    ] as const
  ).map(([status, body]): HttpBehaviour => ({
    title: `sessions that end, reported ${status === 200 ? 'as the response to a read call (200)' : `with ${status}`}`,
    result: 'call repeated in a new session; completed',
    expectedResults: FOUND_RESULTS,
    hasSession: true,
    handle: onToolCall((exchange) => {
      const { call, memory, message } = exchange;
      if (exchange.isFirst('a') || exchange.isFirst('d')) memory.session = `${memory.session}+`;
      if (call.headers['mcp-session-id'] === memory.session) exchange.sendResult(exchange.foundResult);
      else exchange.sendStatus(status, body.replace('"id":ID', `"id":${message.id}`));
    }),
  })),
  ...[null, '', 'again'].map((nextCursor): HttpBehaviour => ({
    title: `a \`nextCursor\` that is ${nextCursor === 'again' ? 'the same each time' : nextCursor === '' ? 'empty' : '`null`'}`,
    result: 'treated as the end of the list; completed',
    expectedResults: FOUND_RESULTS,
    handle: onToolList((exchange) => exchange.sendResult({ tools: [TOOL], nextCursor })),
  })),
  {
    title: 'tools on several pages',
    result: 'completed',
    expectedResults: FOUND_RESULTS,
    handle: onToolList((exchange) =>
      exchange.sendResult(
        exchange.message.params?.cursor === 'b' ? { tools: [TOOL] } : { tools: [{ name: 'other' }], nextCursor: 'b' },
      ),
    ),
  },
  {
    title: 'a broken tool among others',
    result: 'the other tools can be used; completed',
    expectedResults: FOUND_RESULTS,
    tools: [{ name: 'broken', inputSchema: 7 }, 7, TOOL],
  },
  {
    title: 'alternatives at the top of a schema (`oneOf`)',
    result: 'completed',
    expectedResults: FOUND_RESULTS,
    tools: withSchema({ type: 'object', oneOf: [{ properties: { q: {} }, required: ['q'] }, { required: ['other'] }] }),
  },
  {
    title: 'names that language model APIs refuse (`filter[name]`, `$top`)',
    result: 'completed',
    expectedResults: FOUND_RESULTS,
    tools: withSchema({ type: 'object', properties: { 'filter[name]': {}, '$top': { type: 'integer' } } }),
  },
  {
    title: 'references by anchors, ids and percent-encoded pointers',
    result: 'completed',
    expectedResults: FOUND_RESULTS,
    tools: withSchema({
      $id: 'https://example.org/q',
      type: 'object',
      $defs: { 'List<Text>': { $anchor: 'texts', type: 'string' } },
      properties: {
        q: { $ref: '#/$defs/List%3CText%3E' },
        a: { $ref: '#texts' },
        b: { $ref: 'https://example.org/q#texts' },
      },
    }),
  },
  {
    title: 'a result with a tool error (`isError`)',
    result: 'reported to the language model',
    expectedResults: repeatResult('mcp_tool_failed: The disk is full.'),
    handle: onToolCall((exchange) =>
      exchange.sendResult({ content: [{ type: 'text', text: 'The disk is full.' }], isError: true }),
    ),
  },
  {
    title: 'a JSON-RPC error, with status 200 or 400',
    result: 'reported to the language model',
    expectedResults: repeatResult('mcp_call_refused: The MCP server refused the call (-32602): Unknown colour.'),
    handle: onToolCall((exchange) =>
      exchange.sendMessage(exchange.query < 'c' ? 200 : 400, {
        error: { code: -32602, message: 'Unknown colour.' },
      }),
    ),
  },
  {
    title: 'structured content, links and images',
    result: 'data and links are passed on, images mentioned; completed',
    expectedResults: repeatResult(
      '{"data":{"size":7},"links":[{"uri":"file:///a","name":"a","mimeType":""}],"leftOut":["image (image/png, 4 characters of base64)"]}',
    ),
    handle: onToolCall((exchange) =>
      exchange.sendResult({
        content: [
          { type: 'resource_link', uri: 'file:///a', name: 'a' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        ],
        structuredContent: { size: 7 },
      }),
    ),
  },
  {
    title: 'only revision 2026-07-28',
    result: 'negotiated; completed',
    expectedResults: FOUND_RESULTS,
    isStateless: true,
  },
  {
    title: 'revision 2026-07-28, and a tool that requests input',
    result: 'reported to the language model',
    expectedResults: repeatResult(
      'mcp_input_required: The MCP server has not finished the call. The server requests input that agents cannot provide: elicitation/create (“Which one?”).',
    ),
    isStateless: true,
    handle: onToolCall((exchange) =>
      exchange.sendResult({
        resultType: 'input_required',
        inputRequests: { a: { method: 'elicitation/create', params: { message: 'Which one?' } } },
      }),
    ),
  },
  {
    title: 'an unknown revision',
    result: 'cannot be used; the reason names the revision',
    expectedResults: /It supports none of the MCP revisions 2026-07-28, .*, only “2031-01-01”\./,
    handle: (exchange) => {
      const error = { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2031-01-01'] } };
      exchange.sendMessage(400, { error });
      return true;
    },
  },
  {
    title: 'a token that is refused (401)',
    result: 'cannot be used; the reason names the token',
    expectedResults: /It responded with status 401\. Check its Token\./,
    handle: (exchange) => {
      exchange.sendStatus(401);
      return true;
    },
  },
  {
    title: 'a redirect',
    result: 'cannot be used; the reason names the target',
    expectedResults: /It redirects to https:\/\/elsewhere\.example\/mcp/,
    handle: (exchange) => {
      exchange.sendStatus(302, '', { Location: 'https://elsewhere.example/mcp' });
      return true;
    },
  },
];
