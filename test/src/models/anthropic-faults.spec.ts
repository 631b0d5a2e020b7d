import type { ServerResponse } from 'node:http';
import { modelAnthropicPlugin } from '@countersign/model-anthropic';
import { FakeAnthropicServer, isoTimeIn, type FakeServerHandler } from '@countersign/testing';
import type { JsonObject } from '@countersign/core';
import type { ModelMessage, ModelUsage } from '@countersign/core/plugin';
import { expect } from 'chai';
import { call, captureModelError, createModelHost, request } from './models.spec.support.js';

const KEY = 'sk-ant-test-0123456789';

describe('model-anthropic', () => {
  let server: FakeAnthropicServer;
  let otherServer: FakeAnthropicServer;
  let origin: string;

  beforeEach(async () => {
    server = new FakeAnthropicServer(KEY);
    otherServer = new FakeAnthropicServer(KEY);
    server.script = [{ text: 'Yes.' }];
    origin = await server.listen();
  });

  afterEach(async () => {
    await Promise.all([server.close(), otherServer.close()]);
  });

  const openProvider = (configuration: JsonObject = {}) =>
    createModelHost(modelAnthropicPlugin, {
      Anthropic: { BaseUrl: origin, ApiKey: KEY, MaxRetries: 0, ...configuration },
    }).provider('anthropic');

  async function requestAndGetError(handler: FakeServerHandler, configuration: JsonObject = {}) {
    server.nextHandlers.push(handler);
    const error = await captureModelError(openProvider(configuration).complete(request(), call()));
    expect(JSON.stringify([error.message, error.cause, error.stack])).not.to.contain(KEY);
    return error;
  }

  const statusResponse =
    (
      code: number,
      type: string,
      message = 'Reason.',
      headers: Readonly<Record<string, string>> = {},
    ): FakeServerHandler =>
    (_, response) =>
      void response
        .writeHead(code, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' }));

  /** Writes events in the format of the API, and leaves the response open. */
  const writeEvents = (response: ServerResponse, ...events: readonly JsonObject[]) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const streamEvents =
    (...events: readonly JsonObject[]): FakeServerHandler =>
    (_, response) => {
      writeEvents(response, ...events);
      response.end();
    };
  const messageStart = {
    type: 'message_start',
    message: {
      model: 'm-1',
      usage: { input_tokens: 5, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 1 },
    },
  };
  const contentBlock = (
    index: number,
    content: JsonObject,
    ...deltas: readonly JsonObject[]
  ): readonly JsonObject[] => [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const textBlock = (index: number, blockText: string) =>
    contentBlock(index, { type: 'text', text: '' }, { type: 'text_delta', text: blockText });
  const messageEnd = (reason: string, overrides: JsonObject = {}): readonly JsonObject[] => [
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null, ...overrides },
      usage: { output_tokens: 15 },
    },
    { type: 'message_stop' },
  ];

  const TOOLS = [{ name: 'issue_read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }];

  describe('requests', () => {
    it('should contain the documented fields and the key, but nothing of the SDK or its environment variables', async () => {
      // given
      const outputSchema = {
        type: 'object',
        properties: { weight: { type: 'integer', minimum: 1 } },
        required: ['weight'],
        additionalProperties: false,
      };
      process.env.ANTHROPIC_CUSTOM_HEADERS = 'X-Other: other';
      process.env.ANTHROPIC_BASE_URL = 'http://127.0.0.1:1';

      // when
      await openProvider()
        .complete(request({ tools: TOOLS, outputSchema }), call({ idempotencyKey: 'turn-7' }))
        .finally(() => {
          delete process.env.ANTHROPIC_CUSTOM_HEADERS;
          delete process.env.ANTHROPIC_BASE_URL;
        });

      // then
      const { headers, body } = await server.waitForRequest(0);
      expect(body).to.deep.equal({
        model: 'm',
        max_tokens: 100,
        stream: true,
        system: [{ type: 'text', text: 'You sort issues.' }],
        messages: [{ role: 'user', content: 'Sort it.' }],
        tools: [{ name: 'issue_read', description: 'Reads.', input_schema: { type: 'object', properties: {} } }],
        output_config: {
          format: {
            type: 'json_schema',
            schema: {
              type: 'object',
              properties: { weight: { type: 'integer', description: '{minimum: 1}' } },
              required: ['weight'],
              additionalProperties: false,
            },
          },
        },
      });
      expect(headers).to.include({
        'authorization': `Bearer ${KEY}`,
        'idempotency-key': 'turn-7',
        'user-agent': 'Countersign',
      });
      expect(Object.keys(headers).filter((name) => /stainless|other|trace/.test(name))).to.deep.equal([]);
    });

    it('should put the output schema into the prompt if the API does not support the schema, or if configured', async () => {
      const openSchema = { type: 'object', properties: {} };
      const closedSchema = { type: 'object', properties: {}, additionalProperties: false };
      const sendWithSchema = async (outputSchema: JsonObject, overrides: JsonObject = {}) => {
        await openProvider(overrides).complete(request({ outputSchema }), call());
        return server.receivedRequests.at(-1)?.body;
      };

      for (const [schema, body] of [
        [openSchema, await sendWithSchema(openSchema)],
        [closedSchema, await sendWithSchema(closedSchema, { StructuredOutputs: 'prompt' })],
      ] as const) {
        expect(body).not.to.have.property('output_config');
        expect(JSON.stringify(body?.system)).to.contain(JSON.stringify(JSON.stringify(schema)).slice(1, -1));
      }
    });

    it('should request caching only with a long system prompt and tools, unless caching is disabled', async () => {
      const sendAndCountCacheMarks = async (overrides: Parameters<typeof request>[0], configured: JsonObject = {}) => {
        await openProvider(configured).complete(request(overrides), call());
        return (
          JSON.stringify(server.receivedRequests.at(-1)?.body).split('"cache_control":{"type":"ephemeral"}').length - 1
        );
      };
      const system = 'x'.repeat(5_000);

      expect(await sendAndCountCacheMarks({ system, tools: TOOLS })).to.equal(1);
      expect(await sendAndCountCacheMarks({ system })).to.equal(0);
      expect(await sendAndCountCacheMarks({ tools: TOOLS })).to.equal(0);
      expect(await sendAndCountCacheMarks({ system, tools: TOOLS }, { PromptCaching: false })).to.equal(0);
    });

    it('should fail if a temperature is set, the key is missing, the base URL is unencrypted, or the server redirects', async () => {
      const otherOrigin = await otherServer.listen();

      expect(await captureModelError(openProvider().complete(request({ temperature: 0 }), call()))).to.include({
        code: 'model_request_refused',
        retryable: false,
      });
      expect(await captureModelError(openProvider({ ApiKey: '' }).complete(request(), call()))).to.include({
        code: 'model_unauthorized',
        retryable: false,
      });
      expect(
        await captureModelError(openProvider({ BaseUrl: 'http://models.example.org' }).complete(request(), call())),
      ).to.include({
        code: 'model_request_refused',
        retryable: false,
      });
      expect(server.receivedRequests).to.deep.equal([]);
      expect(
        await requestAndGetError(
          (_, response) => void response.writeHead(308, { location: `${otherOrigin}/v1/messages` }).end(),
        ),
      ).to.include({ code: 'model_request_refused', retryable: false });
      expect(otherServer.receivedRequests).to.deep.equal([]);
    });
  });

  describe('responses', () => {
    it('should be sent back with thinking blocks in their original order, and with edited call arguments', async () => {
      // given
      const hidden = { type: 'redacted_thinking', data: 'ZGF0YQ==' };
      server.nextHandlers.push(
        streamEvents(
          messageStart,
          ...contentBlock(
            0,
            { type: 'thinking', thinking: '', signature: '' },
            { type: 'thinking_delta', thinking: 'Hm' },
            { type: 'thinking_delta', thinking: '.' },
            { type: 'signature_delta', signature: 'c2ln' },
          ),
          ...textBlock(1, 'One. '),
          ...contentBlock(2, hidden),
          ...contentBlock(
            3,
            { type: 'tool_use', id: 'toolu_1', name: 'issue_read', input: {} },
            { type: 'input_json_delta', partial_json: '' },
            { type: 'input_json_delta', partial_json: '{"number": 7}' },
          ),
          ...textBlock(4, 'Two.'),
          ...contentBlock(5, { type: 'tool_use', id: 'toolu_2', name: 'issue_read', input: { number: 8 } }),
          ...messageEnd('tool_use'),
        ),
      );

      // when
      const completion = await openProvider().complete(request({ tools: TOOLS }), call());
      const recorded = JSON.parse(JSON.stringify(completion)) as typeof completion;
      const messages: readonly ModelMessage[] = [
        ...request().messages,
        // A person has edited the arguments: the history contains the call that was executed.
        {
          role: 'assistant',
          text: recorded.text,
          calls: recorded.calls.map((proposedCall) =>
            proposedCall.id === 'toolu_2' ? { ...proposedCall, arguments: { number: 9 } } : proposedCall,
          ),
          opaque: recorded.opaque,
        },
        {
          role: 'tool',
          results: [
            { callId: 'toolu_1', content: '', isError: false },
            { callId: 'toolu_2', content: 'no', isError: true },
          ],
        },
      ];
      server.nextHandlers.push(streamEvents(messageStart, ...textBlock(0, 'Done.'), ...messageEnd('end_turn')));
      await openProvider().complete(request({ tools: TOOLS, messages }), call());

      // then
      expect(completion.calls.map(({ arguments: toolArguments }) => toolArguments)).to.deep.equal([
        { number: 7 },
        { number: 8 },
      ]);
      expect(completion).to.deep.include({
        text: 'One. Two.',
        stop: 'calls',
        model: 'm-1',
        usage: { inputTokens: 115, outputTokens: 15, cacheReadTokens: 100, cacheWriteTokens: 10 },
      });
      expect(server.receivedRequests[1]?.body.messages).to.deep.equal([
        { role: 'user', content: 'Sort it.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
            { type: 'text', text: 'One. ' },
            hidden,
            { type: 'tool_use', id: 'toolu_1', name: 'issue_read', input: { number: 7 } },
            { type: 'text', text: 'Two.' },
            { type: 'tool_use', id: 'toolu_2', name: 'issue_read', input: { number: 9 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no', is_error: true },
          ],
        },
      ]);
    });

    it('should have an estimated usage, marked as such, if the server reports no usage', async () => {
      const startWithoutUsage = { type: 'message_start', message: { model: 'm-1' } };
      const done = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
      server.nextHandlers.push(streamEvents(startWithoutUsage, ...textBlock(0, 'x'.repeat(400)), done));

      const { usage } = await openProvider().complete(request(), call());

      expect(usage.inputTokens).to.be.greaterThan(0);
      expect(usage.outputTokens).to.be.within(100, 150);
      expect(usage.estimated).to.equal(true);
    });

    it('should contain no opaque data if they consist of a text followed by calls', async () => {
      server.nextHandlers.push(
        streamEvents(
          messageStart,
          ...textBlock(0, 'One.'),
          ...contentBlock(1, { type: 'tool_use', id: 'toolu_1', name: 'issue_read', input: {} }),
          ...messageEnd('tool_use'),
        ),
      );

      expect(await openProvider().complete(request(), call())).to.deep.include({ opaque: null });
    });

    it('should be sent back with a placeholder in place of an empty text', async () => {
      const assistantMessage = (content: string | null): ModelMessage => ({
        role: 'assistant',
        text: content,
        calls: [],
        opaque: null,
      });
      const userMessage: ModelMessage = { role: 'user', text: 'Again.' };

      await openProvider().complete(
        request({
          messages: [
            ...request().messages,
            assistantMessage(' '),
            userMessage,
            assistantMessage(null),
            userMessage,
            assistantMessage('Hm.'),
            userMessage,
          ],
        }),
        call(),
      );

      expect((await server.waitForRequest(0)).body.messages).to.deep.equal([
        { role: 'user', content: 'Sort it.' },
        { role: 'assistant', content: '(no answer)' },
        { role: 'user', content: 'Again.' },
        { role: 'assistant', content: '(no answer)' },
        { role: 'user', content: 'Again.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }] },
        { role: 'user', content: 'Again.' },
      ]);
    });

    for (const [reason, expected] of Object.entries({
      end_turn: { stop: 'end', text: 'So' },
      stop_sequence: { stop: 'end', text: 'So' },
      max_tokens: { stop: 'length', text: 'So' },
      model_context_window_exceeded: { stop: 'length', text: 'So' },
      refusal: { stop: 'refusal', text: 'So' },
    })) {
      it(`should map the stop reason ${reason}`, async () => {
        server.nextHandlers.push(
          streamEvents(
            messageStart,
            { type: 'ping' },
            ...textBlock(0, 'So'),
            { type: 'from_the_future', more: 1 },
            ...messageEnd(reason),
          ),
        );

        expect(await openProvider().complete(request(), call())).to.deep.include({
          ...expected,
          calls: [],
          opaque: null,
        });
      });
    }

    it('should contain the explanation of a refusal, and no truncated calls', async () => {
      server.nextHandlers.push(
        streamEvents(
          messageStart,
          ...messageEnd('refusal', {
            stop_details: { type: 'refusal', category: 'cyber', explanation: 'Not allowed.' },
          }),
        ),
      );
      server.nextHandlers.push(
        streamEvents(
          messageStart,
          ...contentBlock(
            0,
            { type: 'tool_use', id: 'toolu_1', name: 'issue_read', input: {} },
            { type: 'input_json_delta', partial_json: '{"nu' },
          ),
          ...messageEnd('max_tokens'),
        ),
      );

      expect(await openProvider().complete(request(), call())).to.deep.include({
        stop: 'refusal',
        text: 'Not allowed.',
      });
      expect(await openProvider().complete(request(), call())).to.deep.include({
        stop: 'length',
        text: null,
        calls: [],
      });
    });

    for (const [caseName, handler] of Object.entries<FakeServerHandler>({
      'ends without a final event': streamEvents(messageStart, ...textBlock(0, 'Half of')),
      'is empty': streamEvents(),
      'is not JSON': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end('event: message_start\ndata: {"type":\n\n'),
      'contains data that is not an object': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end('event: message_start\ndata: null\n\n'),
      'continues a block that has not started': streamEvents(messageStart, {
        type: 'content_block_delta',
        index: 3,
        delta: { type: 'text_delta', text: 'x' },
      }),
      'contains no call despite its stop reason': streamEvents(messageStart, ...messageEnd('tool_use')),
      'calls a tool without an id': streamEvents(
        messageStart,
        ...contentBlock(0, { type: 'tool_use', name: 'issue_read', input: {} }),
        ...messageEnd('tool_use'),
      ),
      'pauses for a tool that was not offered': streamEvents(messageStart, ...messageEnd('pause_turn')),
      'has an unknown stop reason': streamEvents(
        messageStart,
        ...textBlock(0, 'The release is safe to'),
        ...messageEnd('from_the_future'),
      ),
      'calls a tool and has an unknown stop reason': streamEvents(
        messageStart,
        ...contentBlock(0, { type: 'tool_use', id: 'toolu_1', name: 'issue_read', input: {} }),
        ...messageEnd('from_the_future'),
      ),
      'contains two blocks with the same index': streamEvents(
        messageStart,
        ...textBlock(0, 'The release is not '),
        ...textBlock(0, 'safe'),
        ...messageEnd('end_turn'),
      ),
      'contains a part in a block of another type': streamEvents(
        messageStart,
        ...contentBlock(0, { type: 'text', text: '' }, { type: 'input_json_delta', partial_json: '{}' }),
        ...messageEnd('end_turn'),
      ),
      'contains an unknown block': streamEvents(
        messageStart,
        ...textBlock(0, 'The release is'),
        ...contentBlock(1, { type: 'from_the_future', text: ' not safe' }),
        ...messageEnd('end_turn'),
      ),
      'contains an unknown part': streamEvents(
        messageStart,
        ...contentBlock(0, { type: 'text', text: '' }, { type: 'from_the_future_delta', text: 'not' }),
        ...messageEnd('end_turn'),
      ),
    })) {
      it(`should fail with model_answer_malformed if the response ${caseName}`, async () => {
        expect(await requestAndGetError(handler)).to.include({ code: 'model_answer_malformed', retryable: true });
      });
    }

    it('should fail if the connection breaks or the stream ends with an error', async () => {
      const broken = await requestAndGetError((_, response) => {
        writeEvents(response, messageStart);
        response.write(': \n\n', () => response.destroy());
      });
      const getStreamError = (type: string) =>
        requestAndGetError(
          streamEvents(messageStart, { type: 'error', error: { type, message: `Overloaded. ${KEY}` } }),
        );

      expect(broken).to.include({ code: 'model_unavailable', retryable: true });
      expect(await getStreamError('overloaded_error')).to.include({ code: 'model_unavailable', retryable: true });
      expect(await getStreamError('rate_limit_error')).to.include({ code: 'model_rate_limited', retryable: true });
      expect(await getStreamError('invalid_request_error')).to.include({
        code: 'model_request_refused',
        retryable: false,
      });
      expect(await getStreamError('authentication_error')).to.include({ code: 'model_unauthorized', retryable: false });
    });

    it('should fail if a response exceeds MaxBytes or Timeout', async () => {
      const endlessStream: FakeServerHandler = (_, response) => {
        writeEvents(response, messageStart, {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'text', text: '' },
        });
        const writeMore = (): void => {
          if (response.destroyed) return;
          writeEvents(response, {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'x'.repeat(4_096) },
          });
          setImmediate(writeMore);
        };
        writeMore();
      };

      expect(await requestAndGetError(endlessStream, { MaxBytes: 100_000 })).to.include({
        code: 'model_answer_malformed',
        retryable: false,
      });
      expect(
        await requestAndGetError((_, response) => writeEvents(response, messageStart), { Timeout: 'PT0.1S' }),
      ).to.include({
        code: 'model_timeout',
        retryable: true,
      });
      for (const { closed } of server.receivedRequests) await closed;
    });
  });

  describe('errors', () => {
    for (const [code, type, expected, retryable] of [
      [400, 'invalid_request_error', 'model_request_refused', false],
      [401, 'authentication_error', 'model_unauthorized', false],
      [402, 'billing_error', 'model_rate_limited', false],
      [403, 'permission_error', 'model_unauthorized', false],
      [404, 'not_found_error', 'model_request_refused', false],
      [413, 'request_too_large', 'model_request_refused', false],
      [429, 'rate_limit_error', 'model_rate_limited', true],
      [500, 'api_error', 'model_unavailable', true],
      [529, 'overloaded_error', 'model_unavailable', true],
    ] as const) {
      it(`should have the code ${expected} at status ${code} (${type})`, async () => {
        const error = await requestAndGetError(statusResponse(code, type, `Reason. ${KEY}`));

        expect(error).to.include({ code: expected, retryable });
        expect(error.message).to.contain('Reason. [secret]').and.to.contain(String(code));
      });
    }

    it('should not be retryable if the credit is exhausted, also within a stream', async () => {
      const creditMessage = 'Your credit balance is too low to access the API.';
      for (const handler of [
        statusResponse(400, 'invalid_request_error', creditMessage),
        streamEvents(messageStart, { type: 'error', error: { type: 'invalid_request_error', message: creditMessage } }),
        streamEvents(messageStart, { type: 'error', error: { type: 'billing_error', message: 'Payment required.' } }),
      ])
        expect(await requestAndGetError(handler)).to.include({ code: 'model_rate_limited', retryable: false });
    });

    it('should contain the message of a gateway with another error format', async () => {
      const gatewayResponse: FakeServerHandler = (_, response) =>
        void response
          .writeHead(502, { 'content-type': 'application/json' })
          .end(JSON.stringify({ detail: [{ msg: `Reason. ${KEY}` }] }));

      const error = await requestAndGetError(gatewayResponse);
      expect(error).to.include({ code: 'model_unavailable', retryable: true });
      expect(error.message).to.contain('Reason. [secret]');
    });

    it('should contain the delay before the next attempt from the response headers', async () => {
      const retryDate = isoTimeIn(60_000);

      expect(
        await requestAndGetError(statusResponse(429, 'rate_limit_error', 'Slow down.', { 'retry-after': '17' })),
      ).to.include({
        retryAfterMs: 17_000,
      });
      expect(
        (
          await requestAndGetError(
            statusResponse(429, 'rate_limit_error', 'Slow down.', {
              'anthropic-ratelimit-requests-remaining': '0',
              'anthropic-ratelimit-requests-reset': retryDate,
            }),
          )
        ).retryAfterMs,
      ).to.be.within(30_000, 60_000);
    });
  });

  it('should retry an overloaded request immediately with the same idempotency key', async () => {
    server.nextHandlers.push(statusResponse(529, 'overloaded_error', 'Overloaded', { 'retry-after-ms': '1' }));

    expect((await openProvider({ MaxRetries: 1 }).complete(request(), call())).text).to.equal('Yes.');
    expect(server.receivedRequests.map(({ headers }) => headers['idempotency-key'])).to.deep.equal([
      'turn-1',
      'turn-1',
    ]);
  });

  it('should close the connection as soon as a request is aborted', async () => {
    server.nextHandlers.push((_, response) => writeEvents(response, messageStart));
    const controller = new AbortController();
    const failure = openProvider({ MaxRetries: 3 })
      .complete(request(), call({ signal: controller.signal }))
      .catch((error: unknown) => error);
    const received = await server.waitForRequest(0);

    controller.abort(new Error('cancelled'));

    expect(await failure).to.have.property('message', 'cancelled');
    await received.closed;
    expect(server.receivedRequests).to.have.length(1);
  });

  describe('usage of discarded responses', () => {
    async function collectDiscardedUsage(handler: FakeServerHandler): Promise<readonly ModelUsage[]> {
      const discardedUsage: ModelUsage[] = [];
      server.nextHandlers.push(handler);
      await captureModelError(
        openProvider().complete(request(), call({ onDiscarded: (usage) => void discardedUsage.push(usage) })),
      );
      return discardedUsage;
    }

    const cached = { cacheReadTokens: 100, cacheWriteTokens: 10 };
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

    for (const [caseName, handler, outputTokens] of [
      ['breaks off', streamEvents(messageStart, ...textBlock(0, 'It is')), 2],
      [
        'is malformed at its end',
        streamEvents(messageStart, ...textBlock(0, 'It is'), ...messageEnd('pause_turn')),
        15,
      ],
      [
        'is malformed in a part',
        streamEvents(messageStart, ...contentBlock(0, { type: 'text' }, { type: 'new_delta' })),
        1,
      ],
      ['ends with an error', streamEvents(messageStart, ...textBlock(0, 'It is'), error), 2],
    ] as const) {
      it(`should be reported if the response ${caseName}`, async () => {
        const [used, ...more] = await collectDiscardedUsage(handler);
        expect(used).to.deep.include({ inputTokens: 115, ...cached });
        expect(used?.outputTokens).to.be.within(1, outputTokens);
        expect(more).to.deep.equal([]);
      });
    }

    it('should not be reported if the server returned only an error', async () => {
      expect(await collectDiscardedUsage(statusResponse(529, 'overloaded_error'))).to.deep.equal([]);
      expect(await collectDiscardedUsage(streamEvents(error))).to.deep.equal([]);
    });

    it('should be reported with the name of the responding language model', async () => {
      const names: (string | undefined)[] = [];
      server.nextHandlers.push(streamEvents(messageStart, ...textBlock(0, 'It is')));
      await captureModelError(
        openProvider().complete(request(), call({ onDiscarded: (_, model) => void names.push(model) })),
      );
      expect(names).to.deep.equal(['m-1']);
    });

    it('should not be reported for a successful response', async () => {
      await openProvider().complete(
        request(),
        call({ onDiscarded: () => expect.fail('The usage of a successful response was reported.') }),
      );
    });
  });

  it('should check that the API responds and accepts the key', async () => {
    expect(await openProvider().check(new AbortController().signal)).to.match(
      /responds and offers language models for this key\.$/,
    );
    expect(
      await captureModelError(openProvider({ ApiKey: 'sk-ant-other-0123456789' }).check(new AbortController().signal)),
    ).to.include({ code: 'model_unauthorized' });
  });
});
