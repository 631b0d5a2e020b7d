import { modelOpenaiPlugin } from '@countersign/model-openai';
import { currentTime, FakeOpenAiServer, type FakeServerHandler } from '@countersign/testing';
import type { Json, JsonObject } from '@countersign/core';
import type { ModelMessage, ModelUsage } from '@countersign/core/plugin';
import { expect } from 'chai';
import { writeChunks, createChunk, streamChunks } from './chat-stream.spec.support.js';
import { call, captureModelError, createModelHost, request } from './models.spec.support.js';

const KEY = 'sk-test-0123456789';

describe('model-openai', () => {
  let wire: FakeOpenAiServer;
  let otherServer: FakeOpenAiServer;
  let origin: string;
  let logged: readonly string[] = [];

  beforeEach(async () => {
    wire = new FakeOpenAiServer(KEY);
    otherServer = new FakeOpenAiServer(KEY);
    wire.script = [{ text: 'Yes.' }];
    origin = await wire.listen();
  });

  afterEach(async () => {
    await Promise.all([wire.close(), otherServer.close()]);
    expect(logged.join('\n')).not.to.contain(KEY);
  });

  function openProvider(configuration: JsonObject = {}) {
    const host = createModelHost(modelOpenaiPlugin, {
      OpenAI: { BaseUrl: `${origin}/v1`, ApiKey: KEY, MaxRetries: 0, ...configuration },
    });
    logged = host.logged;
    return host.provider('openai');
  }

  /** Returns the error of a request that receives this response. */
  async function requestAndGetError(handler: FakeServerHandler, configuration: JsonObject = {}) {
    wire.nextHandlers.push(handler);
    const error = await captureModelError(openProvider(configuration).complete(request(), call()));
    expect(JSON.stringify([error.message, error.cause, error.stack])).not.to.contain(KEY);
    return error;
  }

  const statusResponse =
    (status: number, body: Json = {}, headers: Readonly<Record<string, string>> = {}): FakeServerHandler =>
    (_, response) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  describe('requests', () => {
    it('should contain the documented fields and the key, but nothing of the SDK or its environment variables', async () => {
      // given
      process.env.OPENAI_ORG_ID = 'org-other';
      process.env.OPENAI_CUSTOM_HEADERS = 'X-Other: other';
      const tools = [{ name: 'issue_read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }];
      const outputSchema = {
        type: 'object',
        properties: { label: { type: 'string' } },
        required: ['label'],
        additionalProperties: false,
      };

      // when
      await openProvider()
        .complete(request({ tools, outputSchema, temperature: 0.5 }), call({ idempotencyKey: 'turn-7' }))
        .finally(() => {
          delete process.env.OPENAI_ORG_ID;
          delete process.env.OPENAI_CUSTOM_HEADERS;
        });

      // then
      const { headers, body } = await wire.waitForRequest(0);
      expect(body).to.deep.equal({
        model: 'm',
        messages: [
          { role: 'system', content: 'You sort issues.' },
          { role: 'user', content: 'Sort it.' },
        ],
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0.5,
        max_completion_tokens: 100,
        tools: [
          {
            type: 'function',
            function: { name: 'issue_read', description: 'Reads.', parameters: { type: 'object', properties: {} } },
          },
        ],
        response_format: { type: 'json_schema', json_schema: { name: 'output', strict: true, schema: outputSchema } },
      });
      expect(headers).to.include({
        'authorization': `Bearer ${KEY}`,
        'idempotency-key': 'turn-7',
        'user-agent': 'Countersign',
      });
      expect(Object.keys(headers).filter((name) => /stainless|openai|other/.test(name))).to.deep.equal([]);
    });

    it('should contain the results of calls, with errors marked', async () => {
      const messages: readonly ModelMessage[] = [
        ...request().messages,
        {
          role: 'assistant',
          text: null,
          calls: [
            { id: 'a', name: 'issue_read', arguments: { number: 7 } },
            { id: 'b', name: 'issue_read', arguments: 'no JSON' },
          ],
          opaque: null,
        },
        {
          role: 'tool',
          results: [
            { callId: 'a', content: 'It crashes.', isError: false },
            { callId: 'b', content: 'no such issue', isError: true },
          ],
        },
      ];

      await openProvider().complete(request({ messages }), call());

      expect((await wire.waitForRequest(0)).body.messages).to.deep.equal([
        { role: 'system', content: 'You sort issues.' },
        { role: 'user', content: 'Sort it.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'issue_read', arguments: '{"number":7}' } },
            { id: 'b', type: 'function', function: { name: 'issue_read', arguments: '{"malformed":"no JSON"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'It crashes.' },
        { role: 'tool', tool_call_id: 'b', content: 'Error: no such issue' },
      ]);
    });

    it('should contain a placeholder in place of an empty message', async () => {
      const assistantMessage = (text: string | null): ModelMessage => ({
        role: 'assistant',
        text,
        calls: [],
        opaque: null,
      });
      const userMessage: ModelMessage = { role: 'user', text: 'Again.' };

      await openProvider().complete(
        request({
          messages: [...request().messages, assistantMessage(' '), userMessage, assistantMessage(null), userMessage],
        }),
        call(),
      );

      expect((await wire.waitForRequest(0)).body).to.have.deep.nested.property('messages[2]', {
        role: 'assistant',
        content: '(no answer)',
      });
    });

    it('should use the older parameters that are configured', async () => {
      const outputSchema = { type: 'object', properties: { label: { type: 'string' } } };
      const sendWithStructuredOutputs = async (StructuredOutputs: string) => {
        await openProvider({ StructuredOutputs, IncludeUsage: false, MaxTokensParameter: 'max_tokens' }).complete(
          request({ outputSchema }),
          call(),
        );
        return wire.receivedRequests.at(-1)?.body as { messages: { content: string }[] } & JsonObject;
      };

      const [schema, object, prompt] = [
        await sendWithStructuredOutputs('json_schema'),
        await sendWithStructuredOutputs('json_object'),
        await sendWithStructuredOutputs('prompt'),
      ];

      expect(schema).to.deep.include({
        max_tokens: 100,
        response_format: { type: 'json_schema', json_schema: { name: 'output', strict: false, schema: outputSchema } },
      });
      expect(schema).not.to.have.any.keys('stream_options', 'max_completion_tokens', 'temperature', 'tools');
      expect(object.response_format).to.deep.equal({ type: 'json_object' });
      expect(prompt).not.to.have.property('response_format');
      for (const { messages } of [object, prompt])
        expect(messages[0]?.content).to.contain(JSON.stringify(outputSchema));
      expect(schema.messages[0]?.content).to.equal('You sort issues.');
    });

    describe('with an output schema and StructuredOutputs: auto', () => {
      const outputSchema = { type: 'object', properties: { label: { type: 'string' } } };
      const listResponseFormats = () =>
        wire.receivedRequests.map(({ body }) => (body as JsonObject)['response_format'] !== undefined);
      const tools = [{ name: 'issue_read', description: 'Reads.', inputSchema: { type: 'object' } }];
      const refusalResponse = (message: string) =>
        statusResponse(400, { error: { message, type: 'invalid_request_error' } });

      it('should put the schema into the prompt if there are tools, and into response_format otherwise', async () => {
        const provider = openProvider({ StructuredOutputs: 'auto' });
        await provider.complete(request({ outputSchema }), call());
        await provider.complete(request({ outputSchema, tools }), call());
        expect(listResponseFormats()).to.deep.equal([true, false]);
        expect((await wire.waitForRequest(1)).body)
          .to.have.nested.property('messages[0].content')
          .that.contains('"label"');
      });

      it('should put the schema into the prompt after the API refused response_format for the language model', async () => {
        // given
        const provider = openProvider({ StructuredOutputs: 'auto' });
        wire.nextHandlers.push(refusalResponse('This response_format type is unavailable now'));
        // when
        await provider.complete(request({ outputSchema }), call());
        await provider.complete(request({ outputSchema }), call());
        await provider.complete(request({ outputSchema, model: 'another' }), call());
        // then
        expect(listResponseFormats()).to.deep.equal([true, false, false, true]);
        const keys = wire.receivedRequests.map(({ headers }) => headers['idempotency-key']);
        expect(keys[1]).not.to.equal(keys[0]);
      });

      it('should report any other refusal, and a refusal of an explicitly configured format', async () => {
        for (const [settings, message] of [
          [{ StructuredOutputs: 'auto' }, 'This model does not exist'],
          [{ StructuredOutputs: 'json_schema' }, 'This response_format type is unavailable now'],
        ] as const) {
          wire.nextHandlers.push(refusalResponse(message));
          expect(
            await captureModelError(openProvider(settings).complete(request({ outputSchema }), call())),
          ).to.include({
            code: 'model_request_refused',
          });
        }
        expect(listResponseFormats()).to.deep.equal([true, true]);
      });
    });

    it('should be sent without a key if none is configured, but fail if the server is api.openai.com', async () => {
      wire.nextHandlers.push((received, response) => {
        expect(received.headers).not.to.have.property('authorization');
        writeChunks(response, createChunk({ content: 'Yes.' }, 'stop'));
        response.end();
      });

      expect((await openProvider({ ApiKey: '' }).complete(request(), call())).text).to.equal('Yes.');
      expect(
        await captureModelError(
          openProvider({ ApiKey: '', BaseUrl: 'https://api.openai.com/v1' }).complete(request(), call()),
        ),
      ).to.include({ code: 'model_unauthorized', retryable: false });
    });

    it('should send the key neither in clear text nor to the target of a redirect', async () => {
      const otherOrigin = await otherServer.listen();

      const redirectError = await requestAndGetError(
        (_, response) => void response.writeHead(307, { location: `${otherOrigin}/v1/chat/completions` }).end(),
      );
      const clearTextError = await captureModelError(
        openProvider({ BaseUrl: 'http://models.example.org/v1' }).complete(request(), call()),
      );

      expect(redirectError).to.include({ code: 'model_request_refused', retryable: false });
      expect(redirectError.message).to.contain('redirects (status 307)').and.not.to.contain(otherOrigin);
      expect(clearTextError).to.include({ code: 'model_request_refused', retryable: false });
      expect(otherServer.receivedRequests).to.deep.equal([]);
    });
  });

  describe('responses', () => {
    it('should be assembled from the different chunks that servers send', async () => {
      // given
      wire.nextHandlers.push(
        streamChunks(
          ': keep-alive\n\n',
          { choices: [], prompt_filter_results: [] },
          createChunk({ role: 'assistant', content: null }),
          ': keep-alive\n\n',
          createChunk({ content: 'I look.' }),
          createChunk({ tool_calls: [{ index: 0, function: { name: 'issue_read', arguments: '{"number"' } }] }),
          createChunk({ tool_calls: [{ index: 0, function: { arguments: ':7}' } }] }),
          createChunk({
            tool_calls: [{ index: 1, id: 'b', function: { name: 'issue label!', arguments: { label: 'bug' } } }],
          }),
          createChunk({}, 'stop'),
          { choices: [] },
          'data: [DONE]\n\n',
        ),
      );

      // when
      const completion = await openProvider().complete(request(), call());

      // then
      expect(completion).to.deep.include({ text: 'I look.', stop: 'calls', model: 'm' });
      expect(completion.calls.map(({ name, arguments: toolArguments }) => [name, toolArguments])).to.deep.equal([
        ['issue_read', { number: 7 }],
        ['issue_label_', { label: 'bug' }],
      ]);
      expect(completion.calls[0]?.id).to.match(/^call_[0-9a-f]{16}_1$/);
      expect(completion.calls[1]?.id).to.equal('b');
      expect(completion.usage.inputTokens).to.be.greaterThan(0);
      expect(logged.filter((line) => line.includes('estimating tokens'))).to.have.length(1);
    });

    it('should keep the exact digits of numbers in argument objects as strings if a double cannot hold them', async () => {
      // given
      const argumentsText = '{"number":9007199254740993,"share":0.12345678901234567891,"most":1e400,"small":7}';
      const callData = JSON.stringify(
        createChunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'issue_read', arguments: '<>' } }] }),
      ).replace('"<>"', argumentsText);
      wire.nextHandlers.push(streamChunks(`data: ${callData}\n\n`, createChunk({}, 'tool_calls')));
      // when
      const { calls } = await openProvider().complete(request(), call());
      // then
      expect(calls[0]?.arguments).to.deep.equal({
        number: '9007199254740993',
        share: '0.12345678901234567891',
        most: '1e400',
        small: 7,
      });
    });

    it('should move the end of a long tool description to the system prompt', async () => {
      const description = `${'x'.repeat(1_024)}and more`;

      await openProvider().complete(
        request({ tools: [{ name: 'find', description, inputSchema: { type: 'object' } }] }),
        call(),
      );

      const { body } = await wire.waitForRequest(0);
      const { tools, messages } = body as unknown as {
        tools: readonly { function: { description: string } }[];
        messages: readonly { content: string }[];
      };
      expect(tools[0]?.function.description).to.equal('x'.repeat(1_024));
      expect(messages[0]?.content).to.match(/The rest of the description of find: …and more$/);
    });

    it('should have the usage that the server reports', async () => {
      expect((await openProvider().complete(request(), call())).usage).to.deep.equal({
        inputTokens: 20,
        outputTokens: 7,
      });
      expect(logged).to.deep.equal([]);
    });

    it('should have a usage that includes reasoning and cached tokens', async () => {
      const usage = { prompt_tokens: 20, completion_tokens: 7, total_tokens: 127, prompt_cache_hit_tokens: 15 };
      for (const usageFields of [{ usage }, { x_groq: { usage } }]) {
        wire.nextHandlers.push(
          streamChunks(createChunk({ content: 'Yes.' }), { ...createChunk({}, 'stop'), ...usageFields }),
        );

        expect((await openProvider().complete(request(), call())).usage).to.deep.equal({
          inputTokens: 20,
          outputTokens: 107,
          cacheReadTokens: 15,
        });
      }
    });

    it('should have an estimated split of the total if the server reports only total_tokens', async () => {
      wire.nextHandlers.push(
        streamChunks(createChunk({ content: 'Yes.' }, 'stop'), { choices: [], usage: { total_tokens: 500 } }),
      );

      const { usage } = await openProvider().complete(request(), call());

      expect(usage.inputTokens + usage.outputTokens).to.equal(500);
      expect(usage.estimated).to.equal(true);
    });

    it('should have an estimated usage that includes reasoning, marked as such, if the server reports none', async () => {
      const thoughts = 'x'.repeat(4_000);
      for (const delta of [
        { reasoning_content: thoughts },
        { reasoning_details: [{ type: 'reasoning.text', text: thoughts }] },
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: thoughts }] }] },
      ]) {
        wire.nextHandlers.push(
          streamChunks(createChunk(delta), createChunk({ content: 'Yes.' }), createChunk({}, 'stop')),
        );

        const { usage } = await openProvider({ IncludeUsage: false }).complete(request(), call());

        expect(usage.outputTokens).to.be.within(1_001, 1_020);
        expect(usage.estimated).to.equal(true);
      }
    });

    it('should have the stop reason refusal after a content filter', async () => {
      wire.nextHandlers.push(streamChunks(createChunk({ content: 'I' }), createChunk({}, 'content_filter')));

      expect(await openProvider().complete(request(), call())).to.deep.include({ stop: 'refusal', text: 'I' });
    });

    const callChunk = createChunk({
      tool_calls: [{ index: 0, id: 'a', function: { name: 'issue_read', arguments: '{}' } }],
    });

    for (const reason of ['stop', 'STOP', 'tool_calls', 'end_turn', 'eos', 'stop_sequence']) {
      it(`should be complete with the finish reason ${reason}, with or without calls`, async () => {
        wire.nextHandlers.push(
          streamChunks(createChunk({ content: 'It is.' }), createChunk({}, reason)),
          streamChunks(callChunk, createChunk({}, reason)),
        );

        if (reason !== 'tool_calls')
          expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'It is.', stop: 'end' });
        else
          expect(await captureModelError(openProvider().complete(request(), call()))).to.include({
            code: 'model_answer_malformed',
          });
        expect((await openProvider().complete(request(), call())).calls.map(({ id }) => id)).to.deep.equal(['a']);
      });
    }

    for (const [reason, stop] of [
      ['length', 'length'],
      ['MAX_TOKENS', 'length'],
      ['model_length', 'length'],
      ['SAFETY', 'refusal'],
      ['PROHIBITED_CONTENT', 'refusal'],
    ] as const) {
      it(`should contain no calls with the finish reason ${reason}`, async () => {
        wire.nextHandlers.push(
          streamChunks(createChunk({ content: 'The release is safe to' }), callChunk, createChunk({}, reason)),
        );

        expect(await openProvider().complete(request(), call())).to.deep.include({
          stop,
          text: 'The release is safe to',
          calls: [],
        });
      });
    }

    for (const [native, stop] of [
      ['MAX_TOKENS', 'length'],
      ['SAFETY', 'refusal'],
      ['STOP', 'calls'],
      ['completed_in_a_new_way', 'calls'],
      [null, 'calls'],
    ] as const) {
      it(`should have the stop reason ${stop} if a gateway reports stop and its language model ${native}`, async () => {
        const end = { index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: native };
        wire.nextHandlers.push(streamChunks(callChunk, { choices: [end] }));

        const completion = await openProvider().complete(request(), call());

        expect(completion.stop).to.equal(stop);
        expect(completion.calls).to.have.length(stop === 'calls' ? 1 : 0);
      });
    }

    for (const [reason, code] of [
      ['error', 'model_unavailable'],
      ['abort', 'model_unavailable'],
      ['insufficient_system_resource', 'model_unavailable'],
      ['MALFORMED_FUNCTION_CALL', 'model_answer_malformed'],
      ['from_the_future', 'model_answer_malformed'],
    ] as const) {
      it(`should fail with an error that names the finish reason ${reason}`, async () => {
        for (const parts of [
          [createChunk({ content: 'The release is safe to' }), createChunk({}, reason)],
          [callChunk, createChunk({}, reason)],
          // A later finish reason does not complete the response.
          [createChunk({ content: 'The release is safe to' }, reason), createChunk({}, 'stop')],
        ]) {
          const error = await requestAndGetError(streamChunks(...parts));
          expect(error).to.include({ code, retryable: true });
          expect(error.message).to.contain(`"${reason}"`);
        }
      });
    }

    it('should ignore empty and repeated finish reasons', async () => {
      wire.nextHandlers.push(
        streamChunks(
          createChunk({ content: 'One ' }, 'null'),
          createChunk({ content: 'and ' }, ''),
          createChunk({ content: 'two.' }, 'stop'),
          createChunk({}, 'stop'),
        ),
      );

      expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'One and two.', stop: 'end' });
    });

    it('should join the parts of a content list', async () => {
      const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Is it safe?' }] };
      const cases: readonly (readonly [string, readonly unknown[]])[] = [
        [
          'The release is not safe.',
          [[thinking, { type: 'text', text: 'The release is ' }], 'not ', [{ type: 'text', text: 'safe.' }]],
        ],
        ['{"label": "bug"}', [[{ type: 'text', text: '{"label":' }], [' ', { type: 'output_text', text: '"bug"}' }]]],
        [
          'As said [1, 2].',
          [
            'As said ',
            [
              { type: 'reference', reference_ids: [1, 2] },
              { type: 'text', text: '.' },
            ],
          ],
        ],
        ['Yes.', [[{ type: 'reasoning', text: 'Hm.' }, { text: 'Yes.' }], [], null]],
      ];
      for (const [text, contents] of cases) {
        wire.nextHandlers.push(
          streamChunks(...contents.map((content) => createChunk({ content })), createChunk({}, 'stop')),
        );
        expect(await openProvider().complete(request(), call())).to.deep.include({ text, stop: 'end' });
      }
      wire.nextHandlers.push(
        streamChunks(createChunk({ content: [{ type: 'refusal', refusal: 'No.' }] }), createChunk({}, 'stop')),
      );
      expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'No.', stop: 'refusal' });
    });

    it('should fail if a content part has an unknown type', async () => {
      for (const content of [
        [
          { type: 'text', text: 'The release is ' },
          { type: 'image_url', image_url: { url: 'data:,' } },
        ],
        [{ type: 'text' }],
        [7],
        [null],
        { text: 'Yes.' },
        7,
      ]) {
        const error = await requestAndGetError(streamChunks(createChunk({ content }), createChunk({}, 'stop')));
        expect(error, JSON.stringify(content)).to.include({ code: 'model_answer_malformed', retryable: true });
      }
    });

    it('should not repeat text or calls if the end of a stream repeats the message', async () => {
      const functionCall = { name: 'issue_read', arguments: '{"number":7}' };
      const toolCall = { index: 0, id: 'a', function: functionCall };
      wire.nextHandlers.push(
        streamChunks(createChunk({ content: 'It is ' }), createChunk({ content: 'not.' }), {
          choices: [{ index: 0, message: { content: 'It is not.' }, finish_reason: 'stop' }],
        }),
        streamChunks(createChunk({ tool_calls: [toolCall], function_call: functionCall }), {
          choices: [null, { index: null, message: { tool_calls: [toolCall] }, finish_reason: 'tool_calls' }],
        }),
      );

      expect((await openProvider().complete(request(), call())).text).to.equal('It is not.');
      expect((await openProvider().complete(request(), call())).calls).to.deep.equal([
        { id: 'a', name: 'issue_read', arguments: { number: 7 } },
      ]);
    });

    it('should accept a whole message within a stream, and calls in the older function_call format', async () => {
      const completeChunk = {
        choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
      };
      wire.nextHandlers.push(
        streamChunks(completeChunk),
        streamChunks(
          createChunk({ function_call: { name: 'issue_read', arguments: '{"number"' } }),
          createChunk({ function_call: { arguments: ':7}' } }),
          createChunk({}, 'function_call'),
        ),
      );

      expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'Yes.', stop: 'end' });
      expect((await openProvider().complete(request(), call())).calls).to.have.deep.nested.property('[0].arguments', {
        number: 7,
      });
    });

    for (const [caseName, parts] of Object.entries<readonly object[]>({
      'the whole message after a part with its role': [
        createChunk({ role: 'assistant' }),
        { choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }] },
      ],
      'the whole message after its reasoning': [
        createChunk({ reasoning_content: 'I look.', content: '' }),
        {
          choices: [{ delta: {}, message: { reasoning_content: 'I look.', content: 'Yes.' }, finish_reason: 'stop' }],
        },
      ],
      'pieces of text without a delta': [
        { choices: [{ index: 0, text: 'Ye' }] },
        { choices: [{ index: 0, text: 's.', finish_reason: 'stop' }] },
      ],
      'text next to an empty delta': [
        { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, text: 'Yes.', finish_reason: 'stop' }] },
      ],
      'deltas that are repeated as text and as a message': [
        { choices: [{ index: 0, delta: { content: 'Ye' }, message: { content: 'Ye' }, text: 'Ye' }] },
        {
          choices: [
            { index: 0, delta: { content: 's.' }, message: { content: 'Yes.' }, text: 's.', finish_reason: 'stop' },
          ],
        },
      ],
      'a delta with empty images and audio': [createChunk({ content: 'Yes.', images: [], audio: null }, 'stop')],
    })) {
      it(`should accept ${caseName}`, async () => {
        wire.nextHandlers.push(streamChunks(...parts));

        expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'Yes.', stop: 'end' });
      });
    }

    it('should contain the calls of a whole message once', async () => {
      const { tool_calls: calls } = callChunk.choices[0]?.delta as { tool_calls: readonly object[] };
      const message = { reasoning: 'I look.', content: null, tool_calls: calls };
      wire.nextHandlers.push(
        streamChunks(createChunk({ role: 'assistant', reasoning: 'I look.' }), {
          choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
        }),
      );

      const completion = await openProvider().complete(request(), call());

      expect(completion.calls.map(({ id }) => id)).to.deep.equal(['a']);
      expect(completion.opaque).to.have.nested.property('message.reasoning', 'I look.');

      wire.nextHandlers.push(
        streamChunks(createChunk({ content: 'I look.' }), {
          choices: [{ index: 0, message: { content: 'I look.', tool_calls: calls }, finish_reason: 'stop' }],
        }),
      );
      expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'I look.', stop: 'calls' });
    });

    for (const [name, media] of [
      ['images', [{ type: 'image_url', image_url: { url: 'data:,' } }]],
      ['audio', { id: 'a', transcript: 'No.' }],
    ] as const) {
      it(`should fail with an error that names ${name} in the response`, async () => {
        for (const chunk of [
          createChunk({ content: 'Yes.', [name]: media }, 'stop'),
          { choices: [{ message: { content: 'Yes.', [name]: media }, finish_reason: 'stop' }] },
        ]) {
          const error = await requestAndGetError(streamChunks(chunk));
          expect(error).to.include({ code: 'model_answer_malformed', retryable: true });
          expect(error.message).to.contain(`has ${name}`);
        }
      });
    }

    it('should accept a single call without a list', async () => {
      const {
        tool_calls: [singleCall],
      } = callChunk.choices[0]?.delta as { tool_calls: readonly object[] };
      wire.nextHandlers.push(
        streamChunks(createChunk({ content: 'I look.', tool_calls: singleCall }), createChunk({}, 'stop')),
      );

      expect((await openProvider().complete(request(), call())).calls).to.deep.equal([
        { id: 'a', name: 'issue_read', arguments: {} },
      ]);
    });

    for (const [caseName, handler] of Object.entries<FakeServerHandler>({
      'contains calls that are not a list': streamChunks(
        createChunk({ content: 'Yes.', tool_calls: { 0: { function: { name: 'issue_read', arguments: '{}' } } } }),
        createChunk({}, 'stop'),
      ),
      'contains calls that are a string': streamChunks(
        createChunk({ content: 'Yes.', tool_calls: 'issue_read' }),
        createChunk({}, 'stop'),
      ),
      'ends without a finish reason': streamChunks(createChunk({ content: 'Half of' })),
      'is empty': streamChunks(),
      'is not a stream': statusResponse(200, { choices: [{ message: { content: 'Yes.' } }] }),
      'is not JSON': streamChunks('data: {"choices": [\n\n'),
      'contains data that is not an object': streamChunks('data: 7\n\n', 'data: null\n\n'),
      'contains no call despite its finish reason': streamChunks(createChunk({}, 'tool_calls')),
      'calls a tool without a name': streamChunks(
        createChunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
        createChunk({}, 'tool_calls'),
      ),
      'calls too many tools': streamChunks(
        ...Array.from({ length: 200 }, (_, index) =>
          createChunk({ tool_calls: [{ index, function: { name: 'x', arguments: '' } }] }),
        ),
        createChunk({}, 'tool_calls'),
      ),
    })) {
      it(`should fail with model_answer_malformed if the response ${caseName}`, async () => {
        expect(await requestAndGetError(handler)).to.include({ code: 'model_answer_malformed', retryable: true });
      });
    }

    it('should fail if the connection breaks during the response', async () => {
      const error = await requestAndGetError((_, response) => {
        writeChunks(response, createChunk({ content: 'Half of' }));
        response.write(': \n\n', () => response.destroy());
      });

      expect(error).to.include({ code: 'model_unavailable', retryable: true });
    });

    it('should fail with the matching error code if the stream ends with an error', async () => {
      const streamError = (type: string) =>
        requestAndGetError(
          streamChunks(createChunk({ content: 'Half of' }), {
            error: { message: `The server had an error. ${KEY}`, type },
          }),
        );

      expect(await streamError('server_error')).to.include({ code: 'model_unavailable', retryable: true });
      expect(await streamError('rate_limit_exceeded')).to.include({ code: 'model_rate_limited', retryable: true });
      expect(await streamError('invalid_request_error')).to.include({
        code: 'model_request_refused',
        retryable: false,
      });
    });

    it('should fail if the response exceeds MaxBytes', async () => {
      const endlessStream: FakeServerHandler = (_, response) => {
        writeChunks(response);
        const writeMore = (): void =>
          void (
            response.destroyed ||
            response.write(`data: ${JSON.stringify(createChunk({ content: 'x'.repeat(4_096) }))}\n\n`, () =>
              setImmediate(writeMore),
            )
          );
        writeMore();
      };

      expect(await requestAndGetError(endlessStream, { MaxBytes: 100_000 })).to.include({
        code: 'model_answer_malformed',
        retryable: false,
      });
      await (
        await wire.waitForRequest(0)
      ).closed;
    });

    it('should fail after Timeout, before the response starts or while it arrives', async () => {
      const errorBeforeResponse = await requestAndGetError(() => undefined, { Timeout: 'PT0.1S' });
      const errorDuringResponse = await requestAndGetError(
        (_, response) => writeChunks(response, createChunk({ content: 'Half of' })),
        {
          Timeout: 'PT0.1S',
        },
      );

      for (const error of [errorBeforeResponse, errorDuringResponse])
        expect(error).to.include({ code: 'model_timeout', retryable: true });
      for (const { closed } of wire.receivedRequests) await closed;
    });
  });

  describe('errors', () => {
    it('should contain the message of the server without the key', async () => {
      const error = await requestAndGetError(
        statusResponse(400, {
          error: {
            message: `This model's maximum context length is 8 tokens. ${KEY}`,
            type: 'invalid_request_error',
            code: 'context_length_exceeded',
          },
        }),
      );

      expect(error).to.include({ code: 'model_request_refused', retryable: false });
      expect(error.message)
        .to.contain('maximum context length')
        .and.to.contain('[secret]')
        .and.to.contain('"openai"')
        .and.to.contain('400');
    });

    for (const [status, code, retryable] of [
      [401, 'model_unauthorized', false],
      [403, 'model_unauthorized', false],
      [404, 'model_request_refused', false],
      [408, 'model_unavailable', true],
      [422, 'model_request_refused', false],
      [500, 'model_unavailable', true],
      [502, 'model_unavailable', true],
    ] as const) {
      it(`should have the code ${code} at status ${status} with any body`, async () => {
        const bodies: readonly Json[] = [
          { error: { message: 'Why.', type: 'x', code: null } },
          { detail: 'Why.' },
          'Why.',
          null,
        ];
        for (const body of bodies) {
          expect(await requestAndGetError(statusResponse(status, body))).to.include({ code, retryable });
        }
        expect(
          await requestAndGetError(
            (_, response) =>
              void response.writeHead(status, { 'content-type': 'text/html' }).end(`<html>${'x'.repeat(5_000)}</html>`),
          ),
        ).to.satisfy(({ message }: Error) => message.length < 800);
      });
    }

    for (const [caseName, body] of Object.entries<Json>({
      'in an object': { error: { message: 'It is why.', type: 'x', code: null } },
      'as a string in an object': { error: 'It is why.', status: 500 },
      'in a list': [{ error: { code: 400, message: 'It is why.', status: 'INVALID_ARGUMENT' } }],
      'as a detail': { detail: 'It is why.' },
      'as details of fields': { detail: [{ loc: ['body', 'messages'], msg: 'It is why.', type: 'value_error' }] },
      'as a message': { object: 'error', message: 'It is why.', type: 'BadRequestError', code: 400 },
      'as a message within a message': { message: { detail: [{ msg: 'It is why.' }] } },
      'as errors': { errors: [{ message: 'It is why.' }, { message: 'And this.' }] },
      'as errors that are strings': { errors: ['It is why.'] },
      'within metadata': { error: { code: 400, message: '', details: [{ '@type': 'x' }, { reason: 'It is why.' }] } },
      'as a string': 'It is why.',
      'in unknown members': { wrong: 'It is why.' },
    })) {
      it(`should contain the message of the server ${caseName}, without the key`, async () => {
        const error = await requestAndGetError(
          statusResponse(400, JSON.parse(JSON.stringify(body).replaceAll('why.', `why. ${KEY}`)) as Json),
        );

        expect(error).to.include({ code: 'model_request_refused', retryable: false });
        expect(error.message).to.contain('status 400').and.contain('It is why. [secret]');
      });
    }

    for (const code of [
      ...['tool_use_failed', 'json_validate_failed', 'output_parse_failed'],
      ...['invalid_tool_call', 'tool_call_parse_error'],
    ]) {
      it(`should be retryable if the language model generated an invalid call or output: ${code}`, async () => {
        const invalidCallError = {
          error: { message: 'Failed to call a function.', type: 'invalid_request_error', code },
        };

        expect(await requestAndGetError(statusResponse(400, invalidCallError))).to.include({
          code: 'model_answer_malformed',
          retryable: true,
        });
        expect(await requestAndGetError(streamChunks(createChunk({ content: 'Half' }), invalidCallError))).to.include({
          code: 'model_answer_malformed',
          retryable: true,
        });
        wire.nextHandlers.push(statusResponse(400, invalidCallError));
        expect((await openProvider({ MaxRetries: 1 }).complete(request(), call())).text).to.equal('Yes.');
      });
    }

    for (const [caseName, handler] of Object.entries<FakeServerHandler>({
      'Groq, without a code': statusResponse(400, {
        error: { message: 'Failed to call a function.', type: 'invalid_request_error', failed_generation: '' },
      }),
      'Cerebras': statusResponse(400, {
        message: 'Failed to generate tool_calls. Please adjust your prompt.',
        type: 'invalid_request_error',
      }),
      'Hugging Face': statusResponse(422, { error: 'Tool error: No function found', error_type: 'tool_error' }),
    })) {
      it(`should be retryable if a server reports an invalid generated call in its own format: ${caseName}`, async () => {
        expect(await requestAndGetError(handler)).to.include({ code: 'model_answer_malformed', retryable: true });
      });
    }

    for (const [caseName, handler] of Object.entries<FakeServerHandler>({
      'as reported by xAI': statusResponse(429, {
        code: 'Some resource has been exhausted',
        error: 'Your team has either used all available credits or reached its monthly spending limit.',
      }),
      'with the code of Zhipu': statusResponse(429, {
        error: { code: '1113', message: '您的账户已欠费,请充值后重试。' },
      }),
      'with the code of a spending limit': statusResponse(429, {
        error: { message: 'No.', code: 'spend_limit_exceeded' },
      }),
      'with the code of a quota': statusResponse(429, { error: { message: 'No.', type: 'quota_exceeded' } }),
      'as reported by LiteLLM': statusResponse(400, {
        error: { message: 'ExceededBudget: User=1 over budget. Spend=2, Budget=1', type: null, code: '400' },
      }),
      'with only a message': statusResponse(429, { error: { message: 'You exceeded your current quota.' } }),
      'with a message, at status 503': statusResponse(503, {
        error: { message: 'You exceeded your current quota, please check your plan and billing details.' },
      }),
      'in the status field of MiniMax': statusResponse(200, {
        choices: null,
        base_resp: { status_code: 1008, status_msg: 'insufficient balance' },
      }),
      'in the status field of MiniMax, in a stream': streamChunks({
        base_resp: { status_code: 1008, status_msg: 'insufficient balance' },
      }),
      'at status 429': statusResponse(429, { error: { message: 'No.', code: 'insufficient_quota' } }),
      'at status 403': statusResponse(403, { error: { message: 'No.', type: 'insufficient_quota' } }),
      'at status 402': statusResponse(402, { error: { message: 'Insufficient Balance' } }),
      'at status 400, with a message': statusResponse(400, {
        error: { message: 'Your credit balance is too low to do it.' },
      }),
      'with a message that a gateway passes on': statusResponse(429, {
        error: {
          message: 'OpenAIException - You exceeded your current quota, please check your plan and billing details.',
        },
      }),
      'with a plain string': statusResponse(429, { error: 'insufficient_quota', message: 'Top up.' }),
      'at status 200': statusResponse(200, { error: { message: 'No.', code: 'insufficient_quota' } }),
      'in a stream': streamChunks(createChunk({ content: 'Half' }), {
        error: { message: 'No.', code: 'insufficient_quota' },
      }),
      'in a stream, with a status': streamChunks({ error: { message: 'No.', code: 402 } }),
      'in a choice of a stream': streamChunks({
        choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 402, message: 'No.' } }],
      }),
    })) {
      it(`should not be retryable if the quota is exhausted, ${caseName}`, async () => {
        expect(await requestAndGetError(handler)).to.include({ code: 'model_rate_limited', retryable: false });
      });
    }

    for (const [caseName, handler, code, retryable] of [
      ['a limit in a stream', streamChunks({ error: { code: 429, message: 'Why.' } }), 'model_rate_limited', true],
      [
        'a limit at status 200',
        statusResponse(200, { error: { code: 429, message: 'Why.' } }),
        'model_rate_limited',
        true,
      ],
      ['overload in a stream', streamChunks({ error: { code: 503, message: 'Why.' } }), 'model_unavailable', true],
      [
        'an invalid key in a stream',
        streamChunks({ error: { code: '401', message: 'Why.' } }),
        'model_unauthorized',
        false,
      ],
      [
        'an error object in a stream',
        streamChunks({ object: 'error', message: 'Why.', code: 400 }),
        'model_request_refused',
        false,
      ],
      [
        'an error event in a stream',
        streamChunks('event: error\ndata: {"message":"Why."}\n\n'),
        'model_unavailable',
        true,
      ],
      [
        'an error in a choice',
        streamChunks({ choices: [{ index: 0, error: { message: 'Why.', code: 502 } }] }),
        'model_unavailable',
        true,
      ],
      ['an error without a status', statusResponse(200, { detail: 'Why.' }), 'model_unavailable', true],
    ] as const) {
      it(`should have the matching code and retryability for ${caseName}`, async () => {
        const error = await requestAndGetError(handler);
        expect(error).to.include({ code, retryable });
        expect(error.message).to.contain('Why.');
      });
    }

    it('should not be classified as exhausted quota because of words in quoted output or in a rate limit error', async () => {
      const parseError = {
        error: { message: 'error parsing tool call: raw={"reason":"insufficient funds"', type: 'api_error' },
      };
      expect(await requestAndGetError(statusResponse(500, parseError))).to.include({
        code: 'model_unavailable',
        retryable: true,
      });
      const geminiError = [
        { error: { code: 429, message: 'Please check your plan and billing details.', status: 'RESOURCE_EXHAUSTED' } },
      ];
      expect(await requestAndGetError(statusResponse(429, geminiError))).to.include({
        code: 'model_rate_limited',
        retryable: true,
      });
      // A gateway may pass on the error as a string.
      for (const message of [
        'VertexAIException - You exceeded your current quota, please check your plan and billing details. RESOURCE_EXHAUSTED',
        'You exceeded your current quota. Please retry in 34.5s.',
      ])
        expect(await requestAndGetError(statusResponse(429, { error: { message } }))).to.include({ retryable: true });
    });

    it('should contain the error that a gateway received from its upstream server', async () => {
      const raw = JSON.stringify({ error: { message: 'Failed to call a function.', code: 'tool_use_failed' } });
      const gatewayError = { error: { message: 'Provider returned error', code: 400, metadata: { raw } } };
      const error = await requestAndGetError(statusResponse(400, gatewayError));
      expect(error).to.include({ code: 'model_answer_malformed', retryable: true });
      expect(error.message).to.contain('Failed to call a function.');
      expect(
        (
          await requestAndGetError(
            statusResponse(400, { status: 400, error: 'Bad Request', message: 'The role is not allowed' }),
          )
        ).message,
      ).to.contain('Bad Request: The role is not allowed');
    });

    it('should contain the start of an error message that is endless or breaks off', async () => {
      const endlessStream: FakeServerHandler = (_, response) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        const writeMore = (): void =>
          void (response.destroyed || response.write('It is why. '.repeat(1_000), () => setImmediate(writeMore)));
        writeMore();
      };
      const brokenStream: FakeServerHandler = (_, response) => {
        response.writeHead(400, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('It is why.', () => response.destroy());
      };

      for (const handler of [endlessStream, brokenStream]) {
        const error = await requestAndGetError(handler);
        expect(error).to.include({ code: 'model_request_refused', retryable: false });
        expect(error.message).to.contain('It is why.').and.have.length.below(800);
      }
    });

    it('should contain the delay before the next attempt from the response headers', async () => {
      const rateLimitError = (headers: Readonly<Record<string, string>>) =>
        requestAndGetError(statusResponse(429, { error: { message: 'Slowly.', type: 'requests' } }, headers));

      expect(await rateLimitError({ 'retry-after': '17' })).to.include({
        code: 'model_rate_limited',
        retryable: true,
        retryAfterMs: 17_000,
      });
      expect(
        (await rateLimitError({ 'retry-after': new Date(currentTime() + 60_000).toUTCString() })).retryAfterMs,
      ).to.be.within(30_000, 60_000);
      expect(
        await rateLimitError({
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': '1m0.5s',
          'x-ratelimit-remaining-tokens': '5',
          'x-ratelimit-reset-tokens': '6h',
        }),
      ).to.include({ retryAfterMs: 60_500 });
      expect((await rateLimitError({})).retryAfterMs).to.equal(undefined);
    });

    it('should not be retryable with the code insufficient_quota', async () => {
      expect(
        await requestAndGetError(
          statusResponse(429, {
            error: {
              message: 'You exceeded your current quota.',
              type: 'insufficient_quota',
              code: 'insufficient_quota',
            },
          }),
        ),
      ).to.include({ code: 'model_rate_limited', retryable: false });
    });

    it('should have the code model_unavailable if the server does not respond', async () => {
      expect(await requestAndGetError((_, response) => void response.destroy())).to.include({
        code: 'model_unavailable',
        retryable: true,
      });
      expect(
        await captureModelError(openProvider({ BaseUrl: 'http://127.0.0.1:1/v1' }).complete(request(), call())),
      ).to.include({
        code: 'model_unavailable',
        retryable: true,
      });
    });
  });

  describe('retries', () => {
    it('should be sent with the same idempotency key after a broken connection or a short retry-after', async () => {
      wire.nextHandlers.push(
        (_, response) => void response.destroy(),
        statusResponse(503, {}, { 'retry-after-ms': '1' }),
        statusResponse(429, {}, { 'retry-after-ms': '1' }),
      );
      const provider = openProvider({ MaxRetries: 3 });

      expect((await provider.complete(request(), call())).text).to.equal('Yes.');
      expect(wire.receivedRequests.map(({ headers }) => headers['idempotency-key'])).to.deep.equal([
        'turn-1',
        'turn-1',
        'turn-1',
        'turn-1',
      ]);
    });

    it('should be left to the engine after a partial response, a long retry-after or a permanent error', async () => {
      for (const handler of [
        streamChunks(createChunk({ content: 'Half of' })),
        statusResponse(429, {}, { 'retry-after': '60' }),
        statusResponse(400),
      ]) {
        const requestCountBefore = wire.receivedRequests.length;
        await requestAndGetError(handler, { MaxRetries: 3 });
        expect(wire.receivedRequests.length - requestCountBefore).to.equal(1);
      }
    });
  });

  it('should close the connection as soon as a request is aborted', async () => {
    // given
    wire.nextHandlers.push((_, response) => writeChunks(response, createChunk({ content: 'Half of' })));
    const controller = new AbortController();
    const failure = openProvider({ MaxRetries: 3 })
      .complete(request(), call({ signal: controller.signal }))
      .catch((error: unknown) => error);
    const received = await wire.waitForRequest(0);

    // when
    controller.abort(new Error('cancelled'));

    // then
    expect(await failure).to.have.property('message', 'cancelled');
    await received.closed;
    expect(wire.receivedRequests).to.have.length(1);
  });

  it('should stop waiting for a retry as soon as a request is aborted', async () => {
    // given
    wire.nextHandlers.push(statusResponse(503, {}, { 'retry-after': '7' }));
    const controller = new AbortController();
    let outcome: unknown;
    const provider = openProvider({ MaxRetries: 3 });
    void provider.complete(request(), call({ signal: controller.signal })).catch((error: unknown) => {
      outcome = error;
    });
    await (
      await wire.waitForRequest(0)
    ).closed;
    await provider.complete(request(), call());

    // when
    controller.abort(new Error('cancelled'));
    await provider.complete(request(), call());

    // then
    expect(outcome, 'the aborted request ends before the next one').to.have.property('message', 'cancelled');
    expect(wire.receivedRequests).to.have.length(3);
  });

  describe('usage of discarded responses', () => {
    /** Returns the reported usage of the discarded responses. */
    async function collectDiscardedUsage(
      handler: FakeServerHandler,
      configuration: JsonObject = {},
    ): Promise<readonly ModelUsage[]> {
      const discardedUsage: ModelUsage[] = [];
      wire.nextHandlers.push(handler);
      await captureModelError(
        openProvider(configuration).complete(
          request(),
          call({ onDiscarded: (usage) => void discardedUsage.push(usage) }),
        ),
      );
      return discardedUsage;
    }

    const usageChunk = { choices: [], usage: { prompt_tokens: 50, completion_tokens: 7 } };
    const reportedUsage = { inputTokens: 50, outputTokens: 7 };

    for (const [caseName, handler] of [
      ['is malformed at its end', streamChunks(createChunk({ content: 'It is' }), usageChunk, 'data: [DONE]\n\n')],
      [
        'has an error as its finish reason',
        streamChunks(createChunk({ content: 'It is' }, 'error'), usageChunk, 'data: [DONE]\n\n'),
      ],
      ['is malformed in a part', streamChunks({ ...createChunk({ content: 7 }), usage: usageChunk.usage })],
      [
        'ends with an error in its choice',
        streamChunks(createChunk({ content: 'It is' }), {
          choices: [{ error: { message: 'x' } }],
          usage: usageChunk.usage,
        }),
      ],
      ['breaks off after it reported its usage', streamChunks(createChunk({ content: 'It is' }), usageChunk)],
    ] as const) {
      it(`should be reported as counted by the API if the response ${caseName}`, async () => {
        expect(await collectDiscardedUsage(handler)).to.deep.equal([reportedUsage]);
      });
    }

    it('should be estimated if the connection breaks before the API reports the usage', async () => {
      const [estimate, ...otherUsages] = await collectDiscardedUsage((_, response) => {
        writeChunks(response, createChunk({ content: 'x'.repeat(400) }));
        response.write(': \n\n', () => response.destroy());
      });
      expect(estimate).to.include({ outputTokens: 100, estimated: true });
      expect(estimate?.inputTokens).to.be.above(0);
      expect(otherUsages).to.deep.equal([]);
    });

    it('should be reported once if the server refuses the next request', async () => {
      wire.nextHandlers.push(streamChunks(createChunk({ content: 'It is' }), usageChunk));
      expect(await collectDiscardedUsage(statusResponse(503), { MaxRetries: 3 })).to.deep.equal([reportedUsage]);
    });

    it('should cover all data that had arrived if the request is aborted', async () => {
      // given: more data than fits into the buffers between the server and the client
      const controller = new AbortController();
      wire.nextHandlers.push((_, response) => {
        let chunksLeft = 300;
        const writeMore = (): void => {
          writeChunks(response, createChunk({ content: 'x'.repeat(65_536) }));
          chunksLeft -= 1;
          if (chunksLeft === 0) controller.abort(new Error('late'));
          else if (response.writableNeedDrain) response.once('drain', writeMore);
          else setImmediate(writeMore);
        };
        writeMore();
      });
      const reportedUsages: ModelUsage[] = [];

      // when
      const outcome: unknown = await openProvider()
        .complete(
          request(),
          call({ signal: controller.signal, onDiscarded: (usage) => void reportedUsages.push(usage) }),
        )
        .catch((error: unknown) => error);

      // then
      expect(outcome).to.have.property('message', 'late');
      expect(reportedUsages).to.have.length(1);
      expect(reportedUsages[0]).to.include({ estimated: true });
      expect(reportedUsages[0]?.outputTokens).to.be.at.least(16_384);
    });

    for (const [caseName, handler] of [
      ['the server responded only with an error status', statusResponse(503)],
      ['the response contains only an error', streamChunks({ error: { message: 'x' } })],
      ['the response contains no content yet', streamChunks(createChunk({ role: 'assistant', content: '' }))],
    ] as const) {
      it(`should not be reported if ${caseName}`, async () => {
        expect(await collectDiscardedUsage(handler)).to.deep.equal([]);
      });
    }

    it('should be reported with the name of the responding language model', async () => {
      const names: (string | undefined)[] = [];
      wire.nextHandlers.push(streamChunks({ ...createChunk({ content: 'It is' }), model: 'm-2026' }));
      await captureModelError(
        openProvider().complete(request(), call({ onDiscarded: (_, model) => void names.push(model) })),
      );
      expect(names).to.deep.equal(['m-2026']);
    });

    it('should not be reported for a successful response', async () => {
      await openProvider().complete(
        request(),
        call({ onDiscarded: () => expect.fail('The response was successful.') }),
      );
    });
  });

  it('should check that the API responds and accepts the key', async () => {
    expect(await openProvider().check(new AbortController().signal)).to.match(
      /^127\.0\.0\.1:\d+ responds\. Language models offered: 1\.$/,
    );
    expect(
      await captureModelError(openProvider({ ApiKey: 'sk-other-0123456789' }).check(new AbortController().signal)),
    ).to.include({
      code: 'model_unauthorized',
    });
  });

  it('should name the setting of the missing key of api.openai.com', async () => {
    const server = { BaseUrl: 'https://api.openai.com/v1', ApiKey: '' };
    const { provider } = createModelHost(modelOpenaiPlugin, {
      OpenAI: server,
      OpenAICompatible: [{ Id: 'team', ...server }],
    });
    for (const [id, setting] of [
      ['openai', 'set Models:OpenAI:ApiKey.'],
      ['team', 'set ApiKey of its item in Models:OpenAICompatible.'],
    ] as const)
      expect(await captureModelError(provider(id).complete(request(), call()))).to.have.property(
        'message',
        `The model provider "${id}" has no key: ${setting}`,
      );
  });

  it('should provide each configured server under its own unique id', async () => {
    const serverSettings = (Id: string) => ({ Id, BaseUrl: `${origin}/v1`, ApiKey: KEY });
    const { provider, logged: lines } = createModelHost(modelOpenaiPlugin, {
      OpenAICompatible: [serverSettings('ollama'), serverSettings('vllm')],
    });
    logged = lines;

    for (const id of ['ollama', 'vllm']) expect((await provider(id).complete(request(), call())).text).to.equal('Yes.');
    expect(wire.receivedRequests[0]?.body).to.include({ max_tokens: 100 });
    for (const invalidId of ['openai', 'anthropic', 'scripted', 'Big', ''])
      expect(
        () => createModelHost(modelOpenaiPlugin, { OpenAICompatible: [serverSettings(invalidId)] }),
        invalidId,
      ).to.throw('OpenAICompatible');
    expect(() =>
      createModelHost(modelOpenaiPlugin, { OpenAICompatible: [serverSettings('a'), serverSettings('a')] }),
    ).to.throw('OpenAICompatible');
  });
});
