import type { JsonObject } from '@countersign/core';
import type { Exchange } from './played-exchange.spec.support.js';

/** Behaviour of a server, and the outcome of four turns of an agent with its tool. */
export interface Behaviour {
  /** Same as in `docs/mcp.md`. */
  readonly what: string;
  readonly result: string;
  /** Results that the language model receives, or the reason why the tool cannot be used. */
  readonly told: readonly string[] | RegExp;
}

export interface HttpBehaviour extends Behaviour {
  /** Whether the server supports only revision 2026-07-28. */
  readonly isStateless?: boolean;
  /** Whether the server starts a session. */
  readonly hasSession?: boolean;
  readonly tools?: readonly unknown[];
  /** Handles a message differently from the default. @returns whether it was handled */
  play?(exchange: Exchange): boolean;
}

const FOUND = ['found a', 'found b', 'found c', 'found d'];
const FAILED = (text: string): readonly string[] => Array.from({ length: 4 }, () => text);

/** Handles only calls of the tool. */
const calls =
  (act: (exchange: Exchange) => void): HttpBehaviour['play'] =>
  (exchange) => {
    if (exchange.message.method !== 'tools/call') return false;
    act(exchange);
    return true;
  };
const lists =
  (act: (exchange: Exchange) => void): HttpBehaviour['play'] =>
  (exchange) => {
    if (exchange.message.method !== 'tools/list') return false;
    act(exchange);
    return true;
  };

export const TOOL = { name: 'find', description: 'Finds.', inputSchema: { type: 'object', properties: { q: {} } } };

const withSchema = (inputSchema: JsonObject): readonly object[] => [{ ...TOOL, inputSchema }];

export const HTTP_BEHAVIOURS: readonly HttpBehaviour[] = [
  { what: 'JSON responses, with a session', result: 'completed', told: FOUND, hasSession: true },
  { what: 'JSON responses, without sessions', result: 'completed', told: FOUND },
  {
    what: 'streams that end with the response',
    result: 'completed',
    told: FOUND,
    play: calls((exchange) => exchange.stream(exchange.answer()).response.end()),
  },
  {
    what: 'streams that stay open after the response',
    result: 'completed',
    told: FOUND,
    play: calls((exchange) => exchange.stream(exchange.answer())),
  },
  {
    what: 'progress, logs and comments before the response',
    result: 'completed',
    told: FOUND,
    play: calls((exchange) => {
      exchange.stream(
        { method: 'notifications/progress', params: { progressToken: 'a', progress: 1 } },
        { method: 'notifications/message', params: { level: 'info', data: 'Looking.' } },
      );
      exchange.response.write(': still here\n\n');
      exchange.events(exchange.answer()).response.end();
    }),
  },
  {
    what: '`ping` during a call',
    result: 'answered; completed',
    told: FOUND,
    play: calls((exchange) =>
      exchange.stream().ask('ping', ({ result }) => {
        if (result !== undefined) exchange.events(exchange.answer()).response.end();
      }),
    ),
  },
  {
    what: '`roots/list`, `sampling/createMessage` and `elicitation/create` during a call',
    result: 'refused; completed',
    told: FOUND,
    play: calls((exchange) =>
      exchange.stream().ask('roots/list', () =>
        exchange.ask('sampling/createMessage', () =>
          exchange.ask('elicitation/create', ({ error }) => {
            if (error !== undefined) exchange.events(exchange.answer()).response.end();
          }),
        ),
      ),
    ),
  },
  {
    what: 'a stream that breaks and can be resumed',
    result: 'resumed; completed',
    told: FOUND,
    play: (exchange) => {
      const { call, message, memory, response } = exchange;
      if (call.method === 'GET' && call.headers['last-event-id'] === 'half' && memory.kept !== undefined) {
        exchange.stream(memory.kept).response.end();
        return true;
      }
      if (message.method !== 'tools/call' || !exchange.isFirst('b')) return false;
      memory.kept = exchange.answer();
      exchange.stream().response.write('retry: 1\nid: half\ndata:\n\n', () => response.destroy());
      return true;
    },
  },
  ...(
    [
      [404, ''],
      [400, '{"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}'],
      [200, '{"jsonrpc":"2.0","id":ID,"error":{"code":-32002,"message":"Session not found"}}'],
    ] as const
  ).map(([status, text]): HttpBehaviour => ({
    what: `sessions that end, reported ${status === 200 ? 'as the response to a read call (200)' : `with ${status}`}`,
    result: 'call repeated in a new session; completed',
    told: FOUND,
    hasSession: true,
    play: calls((exchange) => {
      const { call, memory, message } = exchange;
      if (exchange.isFirst('a') || exchange.isFirst('d')) memory.session = `${memory.session}+`;
      if (call.headers['mcp-session-id'] === memory.session) exchange.json(exchange.done);
      else exchange.status(status, text.replace('"id":ID', `"id":${message.id}`));
    }),
  })),
  ...[null, '', 'again'].map((nextCursor): HttpBehaviour => ({
    what: `a \`nextCursor\` that is ${nextCursor === 'again' ? 'the same each time' : nextCursor === '' ? 'empty' : '`null`'}`,
    result: 'treated as the end of the list; completed',
    told: FOUND,
    play: lists((exchange) => exchange.json({ tools: [TOOL], nextCursor })),
  })),
  {
    what: 'tools on several pages',
    result: 'completed',
    told: FOUND,
    play: lists((exchange) =>
      exchange.json(
        exchange.message.params?.cursor === 'b' ? { tools: [TOOL] } : { tools: [{ name: 'other' }], nextCursor: 'b' },
      ),
    ),
  },
  {
    what: 'a broken tool among others',
    result: 'the other tools can be used; completed',
    told: FOUND,
    tools: [{ name: 'broken', inputSchema: 7 }, 7, TOOL],
  },
  {
    what: 'alternatives at the top of a schema (`oneOf`)',
    result: 'completed',
    told: FOUND,
    tools: withSchema({ type: 'object', oneOf: [{ properties: { q: {} }, required: ['q'] }, { required: ['other'] }] }),
  },
  {
    what: 'names that language model APIs refuse (`filter[name]`, `$top`)',
    result: 'completed',
    told: FOUND,
    tools: withSchema({ type: 'object', properties: { 'filter[name]': {}, '$top': { type: 'integer' } } }),
  },
  {
    what: 'references by anchors, ids and percent-encoded pointers',
    result: 'completed',
    told: FOUND,
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
    what: 'a result with a tool error (`isError`)',
    result: 'reported to the language model',
    told: FAILED('mcp_tool_failed: The disk is full.'),
    play: calls((exchange) => exchange.json({ content: [{ type: 'text', text: 'The disk is full.' }], isError: true })),
  },
  {
    what: 'a JSON-RPC error, with status 200 or 400',
    result: 'reported to the language model',
    told: FAILED('mcp_call_refused: The MCP server refused the call (-32602): Unknown colour.'),
    play: calls((exchange) =>
      exchange.body(exchange.asked < 'c' ? 200 : 400, {
        error: { code: -32602, message: 'Unknown colour.' },
      }),
    ),
  },
  {
    what: 'structured content, links and images',
    result: 'data and links are passed on, images mentioned; completed',
    told: FAILED(
      '{"data":{"size":7},"links":[{"uri":"file:///a","name":"a","mimeType":""}],"leftOut":["image (image/png, 4 characters of base64)"]}',
    ),
    play: calls((exchange) =>
      exchange.json({
        content: [
          { type: 'resource_link', uri: 'file:///a', name: 'a' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        ],
        structuredContent: { size: 7 },
      }),
    ),
  },
  {
    what: 'only revision 2026-07-28',
    result: 'negotiated; completed',
    told: FOUND,
    isStateless: true,
  },
  {
    what: 'revision 2026-07-28, and a tool that requests input',
    result: 'reported to the language model',
    told: FAILED(
      'mcp_input_required: The MCP server has not finished the call. The server requests input that agents cannot provide: elicitation/create (“Which one?”).',
    ),
    isStateless: true,
    play: calls((exchange) =>
      exchange.json({
        resultType: 'input_required',
        inputRequests: { a: { method: 'elicitation/create', params: { message: 'Which one?' } } },
      }),
    ),
  },
  {
    what: 'an unknown revision',
    result: 'cannot be used; the reason names the revision',
    told: /It supports none of the MCP revisions 2026-07-28, .*, only “2031-01-01”\./,
    play: (exchange) => {
      const error = { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2031-01-01'] } };
      exchange.body(400, { error });
      return true;
    },
  },
  {
    what: 'a token that is refused (401)',
    result: 'cannot be used; the reason names the token',
    told: /It responded with status 401\. Check its Token\./,
    play: (exchange) => {
      exchange.status(401);
      return true;
    },
  },
  {
    what: 'a redirect',
    result: 'cannot be used; the reason names the target',
    told: /It redirects to https:\/\/elsewhere\.example\/mcp/,
    play: (exchange) => {
      exchange.status(302, '', { Location: 'https://elsewhere.example/mcp' });
      return true;
    },
  },
];
