import { modelOpenaiPlugin } from '@countersign/model-openai';
import { currentTime, FakeOpenAiServer, type FakeServerHandler } from '@countersign/testing';
import type { Json, JsonObject } from '@countersign/core';
import type { ModelMessage, ModelUsage } from '@countersign/core/plugin';
import { expect } from 'chai';
import { writeChunks, part, streamChunks } from './chat-stream.spec.support.js';
import { call, captureModelError, modelHost, request } from './models.spec.support.js';

const KEY = 'sk-test-0123456789';

describe('model-openai', () => {
  let wire: FakeOpenAiServer;
  let other: FakeOpenAiServer;
  let origin: string;
  let logged: readonly string[] = [];

  beforeEach(async () => {
    wire = new FakeOpenAiServer(KEY);
    other = new FakeOpenAiServer(KEY);
    wire.script = [{ text: 'Yes.' }];
    origin = await wire.listen();
  });

  afterEach(async () => {
    await Promise.all([wire.close(), other.close()]);
    expect(logged.join('\n')).not.to.contain(KEY);
  });

  function openProvider(configuration: JsonObject = {}) {
    const opened = modelHost(modelOpenaiPlugin, {
      OpenAI: { BaseUrl: `${origin}/v1`, ApiKey: KEY, MaxRetries: 0, ...configuration },
    });
    logged = opened.logged;
    return opened.provider('openai');
  }

  /** Returns the error of a request that receives this response. */
  async function requestAndGetError(answer: FakeServerHandler, configuration: JsonObject = {}) {
    wire.nextHandlers.push(answer);
    const error = await captureModelError(openProvider(configuration).complete(request(), call()));
    expect(JSON.stringify([error.message, error.cause, error.stack])).not.to.contain(KEY);
    return error;
  }

  const statusResponse =
    (code: number, body: Json = {}, headers: Readonly<Record<string, string>> = {}): FakeServerHandler =>
    (_, response) =>
      void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

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
      const { headers, body } = await wire.request(0);
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

      expect((await wire.request(0)).body.messages).to.deep.equal([
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
      const again: ModelMessage = { role: 'user', text: 'Again.' };

      await openProvider().complete(
        request({ messages: [...request().messages, assistantMessage(' '), again, assistantMessage(null), again] }),
        call(),
      );

      expect((await wire.request(0)).body).to.have.deep.nested.property('messages[2]', {
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
        expect((await wire.request(1)).body)
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
        writeChunks(response, part({ content: 'Yes.' }, 'stop'));
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
      const otherOrigin = await other.listen();

      const redirected = await requestAndGetError(
        (_, response) => void response.writeHead(307, { location: `${otherOrigin}/v1/chat/completions` }).end(),
      );
      const clear = await captureModelError(
        openProvider({ BaseUrl: 'http://models.example.org/v1' }).complete(request(), call()),
      );

      expect(redirected).to.include({ code: 'model_request_refused', retryable: false });
      expect(redirected.message).to.contain('redirects (status 307)').and.not.to.contain(otherOrigin);
      expect(clear).to.include({ code: 'model_request_refused', retryable: false });
      expect(other.receivedRequests).to.deep.equal([]);
    });
  });

  describe('responses', () => {
    it('should be assembled from the different chunks that servers send', async () => {
      // given
      wire.nextHandlers.push(
        streamChunks(
          ': keep-alive\n\n',
          { choices: [], prompt_filter_results: [] },
          part({ role: 'assistant', content: null }),
          ': keep-alive\n\n',
          part({ content: 'I look.' }),
          part({ tool_calls: [{ index: 0, function: { name: 'issue_read', arguments: '{"number"' } }] }),
          part({ tool_calls: [{ index: 0, function: { arguments: ':7}' } }] }),
          part({
            tool_calls: [{ index: 1, id: 'b', function: { name: 'issue label!', arguments: { label: 'bug' } } }],
          }),
          part({}, 'stop'),
          { choices: [] },
          'data: [DONE]\n\n',
        ),
      );

      // when
      const answer = await openProvider().complete(request(), call());

      // then
      expect(answer).to.deep.include({ text: 'I look.', stop: 'calls', model: 'm' });
      expect(answer.calls.map(({ name, arguments: toolArguments }) => [name, toolArguments])).to.deep.equal([
        ['issue_read', { number: 7 }],
        ['issue_label_', { label: 'bug' }],
      ]);
      expect(answer.calls[0]?.id).to.match(/^call_[0-9a-f]{16}_1$/);
      expect(answer.calls[1]?.id).to.equal('b');
      expect(answer.usage.inputTokens).to.be.greaterThan(0);
      expect(logged.filter((line) => line.includes('estimating tokens'))).to.have.length(1);
    });

    it('should keep the exact digits of numbers in argument objects as strings if a double cannot hold them', async () => {
      // given
      const given = '{"number":9007199254740993,"share":0.12345678901234567891,"most":1e400,"small":7}';
      const called = JSON.stringify(
        part({ tool_calls: [{ index: 0, id: 'a', function: { name: 'issue_read', arguments: '<>' } }] }),
      ).replace('"<>"', given);
      wire.nextHandlers.push(streamChunks(`data: ${called}\n\n`, part({}, 'tool_calls')));
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

      const { body } = await wire.request(0);
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
        wire.nextHandlers.push(streamChunks(part({ content: 'Yes.' }), { ...part({}, 'stop'), ...usageFields }));

        expect((await openProvider().complete(request(), call())).usage).to.deep.equal({
          inputTokens: 20,
          outputTokens: 107,
          cacheReadTokens: 15,
        });
      }
    });

    it('should have an estimated split of the total if the server reports only total_tokens', async () => {
      wire.nextHandlers.push(
        streamChunks(part({ content: 'Yes.' }, 'stop'), { choices: [], usage: { total_tokens: 500 } }),
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
        wire.nextHandlers.push(streamChunks(part(delta), part({ content: 'Yes.' }), part({}, 'stop')));

        const { usage } = await openProvider({ IncludeUsage: false }).complete(request(), call());

        expect(usage.outputTokens).to.be.within(1_001, 1_020);
        expect(usage.estimated).to.equal(true);
      }
    });

    it('should have the stop reason refusal after a content filter', async () => {
      wire.nextHandlers.push(streamChunks(part({ content: 'I' }), part({}, 'content_filter')));

      expect(await openProvider().complete(request(), call())).to.deep.include({ stop: 'refusal', text: 'I' });
    });

    const called = part({ tool_calls: [{ index: 0, id: 'a', function: { name: 'issue_read', arguments: '{}' } }] });

    for (const reason of ['stop', 'STOP', 'tool_calls', 'end_turn', 'eos', 'stop_sequence']) {
      it(`should be complete with the finish reason ${reason}, with or without calls`, async () => {
        wire.nextHandlers.push(
          streamChunks(part({ content: 'It is.' }), part({}, reason)),
          streamChunks(called, part({}, reason)),
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
        wire.nextHandlers.push(streamChunks(part({ content: 'The release is safe to' }), called, part({}, reason)));

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
        wire.nextHandlers.push(streamChunks(called, { choices: [end] }));

        const answer = await openProvider().complete(request(), call());

        expect(answer.stop).to.equal(stop);
        expect(answer.calls).to.have.length(stop === 'calls' ? 1 : 0);
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
          [part({ content: 'The release is safe to' }), part({}, reason)],
          [called, part({}, reason)],
          // A later finish reason does not complete the response.
          [part({ content: 'The release is safe to' }, reason), part({}, 'stop')],
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
          part({ content: 'One ' }, 'null'),
          part({ content: 'and ' }, ''),
          part({ content: 'two.' }, 'stop'),
          part({}, 'stop'),
        ),
      );

      expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'One and two.', stop: 'end' });
    });

    it('should join the parts of a content list', async () => {
      const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Is it safe?' }] };
      const answers: readonly (readonly [string, readonly unknown[]])[] = [
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
      for (const [text, contents] of answers) {
        wire.nextHandlers.push(streamChunks(...contents.map((content) => part({ content })), part({}, 'stop')));
        expect(await openProvider().complete(request(), call())).to.deep.include({ text, stop: 'end' });
      }
      wire.nextHandlers.push(streamChunks(part({ content: [{ type: 'refusal', refusal: 'No.' }] }), part({}, 'stop')));
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
        const error = await requestAndGetError(streamChunks(part({ content }), part({}, 'stop')));
        expect(error, JSON.stringify(content)).to.include({ code: 'model_answer_malformed', retryable: true });
      }
    });

    it('should not repeat text or calls if the end of a stream repeats the message', async () => {
      const said = { name: 'issue_read', arguments: '{"number":7}' };
      const called = { index: 0, id: 'a', function: said };
      wire.nextHandlers.push(
        streamChunks(part({ content: 'It is ' }), part({ content: 'not.' }), {
          choices: [{ index: 0, message: { content: 'It is not.' }, finish_reason: 'stop' }],
        }),
        streamChunks(part({ tool_calls: [called], function_call: said }), {
          choices: [null, { index: null, message: { tool_calls: [called] }, finish_reason: 'tool_calls' }],
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
          part({ function_call: { name: 'issue_read', arguments: '{"number"' } }),
          part({ function_call: { arguments: ':7}' } }),
          part({}, 'function_call'),
        ),
      );

      expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'Yes.', stop: 'end' });
      expect((await openProvider().complete(request(), call())).calls).to.have.deep.nested.property('[0].arguments', {
        number: 7,
      });
    });

    for (const [caseName, parts] of Object.entries<readonly object[]>({
      'the whole message after a part with its role': [
        part({ role: 'assistant' }),
        { choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }] },
      ],
      'the whole message after its reasoning': [
        part({ reasoning_content: 'I look.', content: '' }),
        {
          choices: [{ delta: {}, message: { reasoning_content: 'I look.', content: 'Yes.' }, finish_reason: 'stop' }],
        },
      ],
      'a text in pieces, without parts': [
        { choices: [{ index: 0, text: 'Ye' }] },
        { choices: [{ index: 0, text: 's.', finish_reason: 'stop' }] },
      ],
      'a text next to empty parts': [
        { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, text: 'Yes.', finish_reason: 'stop' }] },
      ],
      'parts that are repeated as texts and as a message': [
        { choices: [{ index: 0, delta: { content: 'Ye' }, message: { content: 'Ye' }, text: 'Ye' }] },
        {
          choices: [
            { index: 0, delta: { content: 's.' }, message: { content: 'Yes.' }, text: 's.', finish_reason: 'stop' },
          ],
        },
      ],
      'parts with empty images and audio': [part({ content: 'Yes.', images: [], audio: null }, 'stop')],
    })) {
      it(`should accept ${caseName}`, async () => {
        wire.nextHandlers.push(streamChunks(...parts));

        expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'Yes.', stop: 'end' });
      });
    }

    it('should contain the calls of a whole message once', async () => {
      const { tool_calls: calls } = called.choices[0]?.delta as { tool_calls: readonly object[] };
      const message = { reasoning: 'I look.', content: null, tool_calls: calls };
      wire.nextHandlers.push(
        streamChunks(part({ role: 'assistant', reasoning: 'I look.' }), {
          choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
        }),
      );

      const answer = await openProvider().complete(request(), call());

      expect(answer.calls.map(({ id }) => id)).to.deep.equal(['a']);
      expect(answer.opaque).to.have.nested.property('message.reasoning', 'I look.');

      wire.nextHandlers.push(
        streamChunks(part({ content: 'I look.' }), {
          choices: [{ index: 0, message: { content: 'I look.', tool_calls: calls }, finish_reason: 'stop' }],
        }),
      );
      expect(await openProvider().complete(request(), call())).to.deep.include({ text: 'I look.', stop: 'calls' });
    });

    for (const [name, emptyFields] of [
      ['images', [{ type: 'image_url', image_url: { url: 'data:,' } }]],
      ['audio', { id: 'a', transcript: 'No.' }],
    ] as const) {
      it(`should fail with an error that names ${name} in the response`, async () => {
        for (const chunk of [
          part({ content: 'Yes.', [name]: emptyFields }, 'stop'),
          { choices: [{ message: { content: 'Yes.', [name]: emptyFields }, finish_reason: 'stop' }] },
        ]) {
          const error = await requestAndGetError(streamChunks(chunk));
          expect(error).to.include({ code: 'model_answer_malformed', retryable: true });
          expect(error.message).to.contain(`has ${name}`);
        }
      });
    }

    it('should accept a single call without a list', async () => {
      const {
        tool_calls: [single],
      } = called.choices[0]?.delta as { tool_calls: readonly object[] };
      wire.nextHandlers.push(streamChunks(part({ content: 'I look.', tool_calls: single }), part({}, 'stop')));

      expect((await openProvider().complete(request(), call())).calls).to.deep.equal([
        { id: 'a', name: 'issue_read', arguments: {} },
      ]);
    });

    for (const [caseName, answer] of Object.entries<FakeServerHandler>({
      'contains calls that are not a list': streamChunks(
        part({ content: 'Yes.', tool_calls: { 0: { function: { name: 'issue_read', arguments: '{}' } } } }),
        part({}, 'stop'),
      ),
      'contains calls that are a string': streamChunks(
        part({ content: 'Yes.', tool_calls: 'issue_read' }),
        part({}, 'stop'),
      ),
      'ends without a finish reason': streamChunks(part({ content: 'Half of' })),
      'is empty': streamChunks(),
      'is not a stream': statusResponse(200, { choices: [{ message: { content: 'Yes.' } }] }),
      'is not JSON': streamChunks('data: {"choices": [\n\n'),
      'contains data that is not an object': streamChunks('data: 7\n\n', 'data: null\n\n'),
      'contains no call despite its finish reason': streamChunks(part({}, 'tool_calls')),
      'calls a tool without a name': streamChunks(
        part({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
        part({}, 'tool_calls'),
      ),
      'calls too many tools': streamChunks(
        ...Array.from({ length: 200 }, (_, index) =>
          part({ tool_calls: [{ index, function: { name: 'x', arguments: '' } }] }),
        ),
        part({}, 'tool_calls'),
      ),
    })) {
      it(`should fail with model_answer_malformed if the response ${caseName}`, async () => {
        expect(await requestAndGetError(answer)).to.include({ code: 'model_answer_malformed', retryable: true });
      });
    }

    it('should fail if the connection breaks during the response', async () => {
      const error = await requestAndGetError((_, response) => {
        writeChunks(response, part({ content: 'Half of' }));
        response.write(': \n\n', () => response.destroy());
      });

      expect(error).to.include({ code: 'model_unavailable', retryable: true });
    });

    it('should fail with the matching error code if the stream ends with an error', async () => {
      const streamError = (type: string) =>
        requestAndGetError(
          streamChunks(part({ content: 'Half of' }), { error: { message: `The server had an error. ${KEY}`, type } }),
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
            response.write(`data: ${JSON.stringify(part({ content: 'x'.repeat(4_096) }))}\n\n`, () =>
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
        await wire.request(0)
      ).closed;
    });

    it('should fail after Timeout, before the response starts or while it arrives', async () => {
      const before = await requestAndGetError(() => undefined, { Timeout: 'PT0.1S' });
      const meanwhile = await requestAndGetError((_, response) => writeChunks(response, part({ content: 'Half of' })), {
        Timeout: 'PT0.1S',
      });

      for (const error of [before, meanwhile]) expect(error).to.include({ code: 'model_timeout', retryable: true });
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

    for (const [code, expected, retryable] of [
      [401, 'model_unauthorized', false],
      [403, 'model_unauthorized', false],
      [404, 'model_request_refused', false],
      [408, 'model_unavailable', true],
      [422, 'model_request_refused', false],
      [500, 'model_unavailable', true],
      [502, 'model_unavailable', true],
    ] as const) {
      it(`should have the code ${expected} at status ${code} with any body`, async () => {
        const bodies: readonly Json[] = [
          { error: { message: 'Why.', type: 'x', code: null } },
          { detail: 'Why.' },
          'Why.',
          null,
        ];
        for (const body of bodies) {
          expect(await requestAndGetError(statusResponse(code, body))).to.include({ code: expected, retryable });
        }
        expect(
          await requestAndGetError(
            (_, response) =>
              void response.writeHead(code, { 'content-type': 'text/html' }).end(`<html>${'x'.repeat(5_000)}</html>`),
          ),
        ).to.satisfy(({ message }: Error) => message.length < 800);
      });
    }

    for (const [caseName, body] of Object.entries<Json>({
      'in an object': { error: { message: 'It is why.', type: 'x', code: null } },
      'as a text in an object': { error: 'It is why.', status: 500 },
      'in a list': [{ error: { code: 400, message: 'It is why.', status: 'INVALID_ARGUMENT' } }],
      'as a detail': { detail: 'It is why.' },
      'as details of fields': { detail: [{ loc: ['body', 'messages'], msg: 'It is why.', type: 'value_error' }] },
      'as a message': { object: 'error', message: 'It is why.', type: 'BadRequestError', code: 400 },
      'as a message within a message': { message: { detail: [{ msg: 'It is why.' }] } },
      'as errors': { errors: [{ message: 'It is why.' }, { message: 'And this.' }] },
      'as errors that are strings': { errors: ['It is why.'] },
      'within metadata': { error: { code: 400, message: '', details: [{ '@type': 'x' }, { reason: 'It is why.' }] } },
      'as a text': 'It is why.',
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
        const slip = { error: { message: 'Failed to call a function.', type: 'invalid_request_error', code } };

        expect(await requestAndGetError(statusResponse(400, slip))).to.include({
          code: 'model_answer_malformed',
          retryable: true,
        });
        expect(await requestAndGetError(streamChunks(part({ content: 'Half' }), slip))).to.include({
          code: 'model_answer_malformed',
          retryable: true,
        });
        wire.nextHandlers.push(statusResponse(400, slip));
        expect((await openProvider({ MaxRetries: 1 }).complete(request(), call())).text).to.equal('Yes.');
      });
    }

    for (const [caseName, answer] of Object.entries<FakeServerHandler>({
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
        expect(await requestAndGetError(answer)).to.include({ code: 'model_answer_malformed', retryable: true });
      });
    }

    for (const [caseName, answer] of Object.entries<FakeServerHandler>({
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
      'in a stream': streamChunks(part({ content: 'Half' }), { error: { message: 'No.', code: 'insufficient_quota' } }),
      'in a stream, with a status': streamChunks({ error: { message: 'No.', code: 402 } }),
      'in a choice of a stream': streamChunks({
        choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 402, message: 'No.' } }],
      }),
    })) {
      it(`should not be retryable if the quota is exhausted, ${caseName}`, async () => {
        expect(await requestAndGetError(answer)).to.include({ code: 'model_rate_limited', retryable: false });
      });
    }

    for (const [caseName, answer, code, retryable] of [
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
        const error = await requestAndGetError(answer);
        expect(error).to.include({ code, retryable });
        expect(error.message).to.contain('Why.');
      });
    }

    it('should not be classified as exhausted quota because of words in quoted output or in a rate limit error', async () => {
      const quoting = {
        error: { message: 'error parsing tool call: raw={"reason":"insufficient funds"', type: 'api_error' },
      };
      expect(await requestAndGetError(statusResponse(500, quoting))).to.include({
        code: 'model_unavailable',
        retryable: true,
      });
      const gemini = [
        { error: { code: 429, message: 'Please check your plan and billing details.', status: 'RESOURCE_EXHAUSTED' } },
      ];
      expect(await requestAndGetError(statusResponse(429, gemini))).to.include({
        code: 'model_rate_limited',
        retryable: true,
      });
      // A gateway may pass the error on as a text.
      for (const message of [
        'VertexAIException - You exceeded your current quota, please check your plan and billing details. RESOURCE_EXHAUSTED',
        'You exceeded your current quota. Please retry in 34.5s.',
      ])
        expect(await requestAndGetError(statusResponse(429, { error: { message } }))).to.include({ retryable: true });
    });

    it('should contain the error that a gateway received from its upstream server', async () => {
      const raw = JSON.stringify({ error: { message: 'Failed to call a function.', code: 'tool_use_failed' } });
      const passed = { error: { message: 'Provider returned error', code: 400, metadata: { raw } } };
      const error = await requestAndGetError(statusResponse(400, passed));
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
      const streamError: FakeServerHandler = (_, response) => {
        response.writeHead(400, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('It is why.', () => response.destroy());
      };

      for (const answer of [endlessStream, streamError]) {
        const error = await requestAndGetError(answer);
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
    it('should be sent immediately with the same idempotency key if there was no response', async () => {
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
      for (const answer of [
        streamChunks(part({ content: 'Half of' })),
        statusResponse(429, {}, { 'retry-after': '60' }),
        statusResponse(400),
      ]) {
        const before = wire.receivedRequests.length;
        await requestAndGetError(answer, { MaxRetries: 3 });
        expect(wire.receivedRequests.length - before).to.equal(1);
      }
    });
  });

  it('should close the connection as soon as a request is aborted', async () => {
    // given
    wire.nextHandlers.push((_, response) => writeChunks(response, part({ content: 'Half of' })));
    const controller = new AbortController();
    const asked = openProvider({ MaxRetries: 3 })
      .complete(request(), call({ signal: controller.signal }))
      .catch((error: unknown) => error);
    const received = await wire.request(0);

    // when
    controller.abort(new Error('cancelled'));

    // then
    expect(await asked).to.have.property('message', 'cancelled');
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
      await wire.request(0)
    ).closed;
    await provider.complete(request(), call());

    // when
    controller.abort(new Error('cancelled'));
    await provider.complete(request(), call());

    // then
    expect(outcome, 'it is over before another request is').to.have.property('message', 'cancelled');
    expect(wire.receivedRequests).to.have.length(3);
  });

  describe('usage of discarded responses', () => {
    /** Returns the reported usage. */
    async function collectDiscardedUsage(
      answer: FakeServerHandler,
      configuration: JsonObject = {},
    ): Promise<readonly ModelUsage[]> {
      const discardedUsage: ModelUsage[] = [];
      wire.nextHandlers.push(answer);
      await captureModelError(
        openProvider(configuration).complete(
          request(),
          call({ onDiscarded: (usage) => void discardedUsage.push(usage) }),
        ),
      );
      return discardedUsage;
    }

    const counted = { choices: [], usage: { prompt_tokens: 50, completion_tokens: 7 } };
    const told = { inputTokens: 50, outputTokens: 7 };

    for (const [caseName, answer] of [
      ['is malformed at its end', streamChunks(part({ content: 'It is' }), counted, 'data: [DONE]\n\n')],
      [
        'has an error as its finish reason',
        streamChunks(part({ content: 'It is' }, 'error'), counted, 'data: [DONE]\n\n'),
      ],
      ['is malformed in a part', streamChunks({ ...part({ content: 7 }), usage: counted.usage })],
      [
        'ends with an error in its choice',
        streamChunks(part({ content: 'It is' }), { choices: [{ error: { message: 'x' } }], usage: counted.usage }),
      ],
      ['breaks off after it reported its usage', streamChunks(part({ content: 'It is' }), counted)],
    ] as const) {
      it(`should be reported as counted by the API if the response ${caseName}`, async () => {
        expect(await collectDiscardedUsage(answer)).to.deep.equal([told]);
      });
    }

    it('should be estimated if the connection breaks before the API reports the usage', async () => {
      const [estimate, ...more] = await collectDiscardedUsage((_, response) => {
        writeChunks(response, part({ content: 'x'.repeat(400) }));
        response.write(': \n\n', () => response.destroy());
      });
      expect(estimate).to.include({ outputTokens: 100, estimated: true });
      expect(estimate?.inputTokens).to.be.above(0);
      expect(more).to.deep.equal([]);
    });

    it('should be reported once if the server refuses the next request', async () => {
      wire.nextHandlers.push(streamChunks(part({ content: 'It is' }), counted));
      expect(await collectDiscardedUsage(statusResponse(503), { MaxRetries: 3 })).to.deep.equal([told]);
    });

    it('should cover all data that had arrived if the request is aborted', async () => {
      // given: more data than fits into the buffers between the server and the client
      const controller = new AbortController();
      wire.nextHandlers.push((_, response) => {
        let left = 300;
        const writeMore = (): void => {
          writeChunks(response, part({ content: 'x'.repeat(65_536) }));
          left -= 1;
          if (left === 0) controller.abort(new Error('late'));
          else if (response.writableNeedDrain) response.once('drain', writeMore);
          else setImmediate(writeMore);
        };
        writeMore();
      });
      const told: ModelUsage[] = [];

      // when
      const outcome: unknown = await openProvider()
        .complete(request(), call({ signal: controller.signal, onDiscarded: (usage) => void told.push(usage) }))
        .catch((error: unknown) => error);

      // then
      expect(outcome).to.have.property('message', 'late');
      expect(told).to.have.length(1);
      expect(told[0]).to.include({ estimated: true });
      expect(told[0]?.outputTokens).to.be.at.least(16_384);
    });

    for (const [caseName, answer] of [
      ['the server responded only with an error status', statusResponse(503)],
      ['the response contains only an error', streamChunks({ error: { message: 'x' } })],
      ['the response contains no content yet', streamChunks(part({ role: 'assistant', content: '' }))],
    ] as const) {
      it(`should not be reported if ${caseName}`, async () => {
        expect(await collectDiscardedUsage(answer)).to.deep.equal([]);
      });
    }

    it('should be reported with the name of the responding language model', async () => {
      const names: (string | undefined)[] = [];
      wire.nextHandlers.push(streamChunks({ ...part({ content: 'It is' }), model: 'm-2026' }));
      await captureModelError(
        openProvider().complete(request(), call({ onDiscarded: (_, model) => void names.push(model) })),
      );
      expect(names).to.deep.equal(['m-2026']);
    });

    it('should not be reported for a successful response', async () => {
      await openProvider().complete(request(), call({ onDiscarded: () => expect.fail('It is an answer.') }));
    });
  });

  it('should check that the API responds and accepts the key', async () => {
    expect(await openProvider().check(new AbortController().signal)).to.match(
      /^127\.0\.0\.1:\d+ responds and offers 1 language models\.$/,
    );
    expect(
      await captureModelError(openProvider({ ApiKey: 'sk-other-0123456789' }).check(new AbortController().signal)),
    ).to.include({
      code: 'model_unauthorized',
    });
  });

  it('should name the setting of the missing key of api.openai.com', async () => {
    const server = { BaseUrl: 'https://api.openai.com/v1', ApiKey: '' };
    const { provider } = modelHost(modelOpenaiPlugin, {
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
    const { provider, logged: lines } = modelHost(modelOpenaiPlugin, {
      OpenAICompatible: [serverSettings('ollama'), serverSettings('vllm')],
    });
    logged = lines;

    for (const id of ['ollama', 'vllm']) expect((await provider(id).complete(request(), call())).text).to.equal('Yes.');
    expect(wire.receivedRequests[0]?.body).to.include({ max_tokens: 100 });
    for (const taken of ['openai', 'anthropic', 'scripted', 'Big', ''])
      expect(() => modelHost(modelOpenaiPlugin, { OpenAICompatible: [serverSettings(taken)] }), taken).to.throw(
        'OpenAICompatible',
      );
    expect(() =>
      modelHost(modelOpenaiPlugin, { OpenAICompatible: [serverSettings('a'), serverSettings('a')] }),
    ).to.throw('OpenAICompatible');
  });
});
