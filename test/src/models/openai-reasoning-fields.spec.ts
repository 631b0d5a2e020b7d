import type { Json, JsonObject } from '@countersign/core';
import type { ModelMessage } from '@countersign/core/plugin';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { FakeOpenAiServer, type FakeServerHandler } from '@countersign/testing';
import { expect } from 'chai';
import { createChunk, streamChunks } from './chat-stream.spec.support.js';
import { call, captureModelError, createModelHost, request } from './models.spec.support.js';

const KEY = 'sk-test-0123456789';

describe('model-openai: data that must be sent back to the server', () => {
  let wire: FakeOpenAiServer;
  let origin: string;

  beforeEach(async () => {
    wire = new FakeOpenAiServer(KEY);
    wire.script = [{ text: 'Yes.' }];
    origin = await wire.listen();
  });

  afterEach(() => wire.close());

  function open() {
    const settings = { BaseUrl: `${origin}/v1`, ApiKey: KEY, MaxRetries: 0, StructuredOutputs: 'auto' };
    return createModelHost(modelOpenaiPlugin, { OpenAI: settings }).provider('openai');
  }

  const callChunk = (...calls: readonly object[]) => createChunk({ tool_calls: calls });
  const firstCall = (overrides: object = {}) => ({
    index: 0,
    id: 'c1',
    function: { name: 'issue_read', arguments: '{"number":7}' },
    ...overrides,
  });
  /** A second call, with additional members in its function. */
  const secondCall = (overrides: object) =>
    firstCall({ index: 1, id: 'c2', function: { name: 'issue_read', arguments: '{"number":8}', ...overrides } });
  const longId = `call_1__thought__${'s'.repeat(4_000)}`;

  /** Returns a response, and the history with it and the results of its calls. */
  async function requestWithHistory(provider: string, ...parts: readonly object[]) {
    wire.nextHandlers.push(streamChunks(...parts, createChunk({}, 'tool_calls')));
    const completion = await open().complete(request(), call());
    const recorded = JSON.parse(JSON.stringify(completion)) as typeof completion;
    const { text, calls, opaque } = recorded;
    const results = calls.map(({ id }) => ({ callId: id, content: 'It crashes.', isError: false }));
    const messages: readonly ModelMessage[] = [
      ...request().messages,
      {
        role: 'assistant',
        text,
        calls,
        opaque: JSON.parse(JSON.stringify(opaque).replaceAll('"openai"', `"${provider}"`)) as Json,
      },
      { role: 'tool', results },
    ];
    return { completion, messages };
  }

  /** Returns the message that is sent back for a response, and the results of its calls. */
  async function readReturnedMessages(provider: string, ...parts: readonly object[]) {
    const { completion, messages } = await requestWithHistory(provider, ...parts);
    await open().complete(request({ messages }), call());
    const sent = wire.receivedRequests.at(-1)?.body.messages as readonly JsonObject[];
    return { completion, assistantMessage: sent[2] ?? {}, results: sent.slice(3).map(({ tool_call_id: id }) => id) };
  }

  const SHAPES: Readonly<Record<string, readonly [parts: readonly object[], returnedFields: JsonObject]>> = {
    'a signature with the first of two calls (Gemini)': [
      [
        callChunk(firstCall({ extra_content: { google: { thought_signature: 'c2ln' } } })),
        callChunk(firstCall({ index: 1, id: 'c2' })),
      ],
      {
        'tool_calls[0].extra_content': { google: { thought_signature: 'c2ln' } },
        'tool_calls[1]': {
          id: 'c2',
          type: 'function',
          function: { name: 'issue_read', arguments: '{"number":7}' },
        },
      },
    ],
    'a signature in a separate part': [
      [callChunk(firstCall()), callChunk({ index: 0, extra_content: { google: { thought_signature: 'c2ln' } } })],
      { 'tool_calls[0].extra_content': { google: { thought_signature: 'c2ln' } } },
    ],
    'reasoning (DeepSeek)': [
      [
        createChunk({ content: null, reasoning_content: 'I look ' }),
        createChunk({ reasoning_content: 'at it.' }),
        callChunk(firstCall()),
      ],
      { reasoning_content: 'I look at it.' },
    ],
    'reasoning details in their order (OpenRouter)': [
      [
        createChunk({
          reasoning: 'I ',
          reasoning_details: [{ type: 'reasoning.text', text: 'I ', index: 0, format: 'x' }],
        }),
        createChunk({ reasoning: 'look.', reasoning_details: [{ type: 'reasoning.text', text: 'look.', index: 0 }] }),
        createChunk({ reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', text: null, index: 0 }] }),
        createChunk({
          reasoning_details: [
            { type: 'reasoning.encrypted', data: 'AA', id: 'r1', index: 1 },
            { type: 'reasoning.summary', summary: 'S' },
          ],
        }),
        callChunk(firstCall()),
      ],
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'I look.', index: 0, format: 'x', signature: 'c2ln' },
          { type: 'reasoning.encrypted', data: 'AA', id: 'r1', index: 1 },
          { type: 'reasoning.summary', summary: 'S' },
        ],
      },
    ],
    'reasoning details that have their own ids': [
      [
        createChunk({
          reasoning_details: [
            { type: 'reasoning.encrypted', data: 'AA', id: 'c1', index: 0 },
            { type: 'reasoning.encrypted', data: 'BB', id: 'c2', index: 0 },
          ],
        }),
        callChunk(firstCall()),
      ],
      {
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 'AA', id: 'c1', index: 0 },
          { type: 'reasoning.encrypted', data: 'BB', id: 'c2', index: 0 },
        ],
      },
    ],
    'reasoning under another name (vLLM, Ollama, Groq)': [
      [
        createChunk({ reasoning: 'I look ' }),
        createChunk({ reasoning: 'at it.', content: '' }),
        callChunk(firstCall()),
      ],
      { reasoning: 'I look at it.' },
    ],
    'reasoning under both names': [
      [createChunk({ reasoning: 'I look.', reasoning_content: 'I look.' }), callChunk(firstCall())],
      { reasoning: 'I look.', reasoning_content: 'I look.' },
    ],
    'reasoning among the content parts (Mistral)': [
      [
        createChunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'I ' }] }] }),
        createChunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'look.' }], closed: true }] }),
        callChunk(firstCall()),
      ],
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'I look.' }], closed: true }] },
    ],
    'a gateway signature in a call and in its function (LiteLLM)': [
      [
        callChunk(firstCall({ provider_specific_fields: { thought_signature: 'c2ln' } })),
        callChunk(secondCall({ provider_specific_fields: { thought_signature: 'c2ln' } })),
      ],
      {
        'tool_calls[0].provider_specific_fields': { thought_signature: 'c2ln' },
        'tool_calls[0].function': { name: 'issue_read', arguments: '{"number":7}' },
        'tool_calls[1].function.provider_specific_fields': { thought_signature: 'c2ln' },
      },
    ],
    'signatures in other places': [
      [
        callChunk(firstCall({ thought_signature: 'c2ln' })),
        callChunk(secondCall({ extra_content: { google: { thought_signature: 'c2ln' } } })),
      ],
      {
        'tool_calls[0].thought_signature': 'c2ln',
        'tool_calls[0].function': { name: 'issue_read', arguments: '{"number":7}' },
        'tool_calls[1].function.extra_content': { google: { thought_signature: 'c2ln' } },
      },
    ],
    'reasoning that only the server can read': [
      [
        createChunk({ reasoning_opaque: 'AA', encrypted_content: '' }),
        createChunk({ encrypted_content: 'BB', reasoning_opaque: null }),
        callChunk(firstCall()),
      ],
      { reasoning_opaque: 'AA', encrypted_content: 'BB' },
    ],
    'an id that exceeds the length limit (LiteLLM)': [
      [callChunk(firstCall({ id: longId }))],
      { 'tool_calls[0].id': longId },
    ],
  };

  for (const [caseName, [parts, returnedFields]] of Object.entries(SHAPES)) {
    it(`should send back the calls with ${caseName}, and exclude the data from the output`, async () => {
      const { completion, assistantMessage, results } = await readReturnedMessages('openai', ...parts);

      expect(completion).to.deep.include({ text: null, stop: 'calls' });
      for (const { id } of completion.calls) expect(id.length).to.be.at.most(200);
      for (const [path, value] of Object.entries(returnedFields))
        expect(assistantMessage, path).to.have.deep.nested.property(path, value);
      expect(results).to.deep.equal((assistantMessage.tool_calls as readonly JsonObject[]).map(({ id }) => id));
    });

    it(`should not send the additional data to another provider: ${caseName}`, async () => {
      const { assistantMessage } = await readReturnedMessages('other', ...parts);

      expect(assistantMessage).to.have.all.keys('role', 'content', 'tool_calls');
      for (const sent of assistantMessage.tool_calls as readonly JsonObject[]) {
        expect(sent).to.have.all.keys('id', 'type', 'function');
        expect(sent.function).to.have.all.keys('name', 'arguments');
      }
    });
  }

  it('should store no reasoning for a response without calls', async () => {
    wire.nextHandlers.push(
      streamChunks(createChunk({ reasoning_content: 'I look.', content: 'Yes.' }), createChunk({}, 'stop')),
    );

    expect(await open().complete(request(), call())).to.deep.include({ text: 'Yes.', opaque: null });
  });

  it('should send back the thoughts and the text of a content list in their order', async () => {
    const { completion, assistantMessage } = await readReturnedMessages(
      'openai',
      createChunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'I look.' }] }] }),
      createChunk({ content: [{ type: 'text', text: 'One moment.' }] }),
      callChunk(firstCall()),
    );

    expect(completion.text).to.equal('One moment.');
    expect(assistantMessage.content).to.deep.equal([
      { type: 'thinking', thinking: [{ type: 'text', text: 'I look.' }] },
      { type: 'text', text: 'One moment.' },
    ]);
  });

  it('should not send back empty reasoning, which Groq refuses for models without reasoning', async () => {
    const { assistantMessage } = await readReturnedMessages(
      'openai',
      createChunk({ reasoning: '' }),
      callChunk(firstCall()),
    );
    expect(assistantMessage).to.have.all.keys('role', 'content', 'tool_calls');
  });

  it('should send back reasoning in the format of earlier versions', async () => {
    const messages: readonly ModelMessage[] = [
      ...request().messages,
      {
        role: 'assistant',
        text: null,
        calls: [{ id: 'c1', name: 'issue_read', arguments: {} }],
        opaque: { provider: 'openai', message: { reasoning_content: 'I look.' }, calls: {} },
      },
      { role: 'tool', results: [{ callId: 'c1', content: 'It crashes.', isError: false }] },
    ];

    await open().complete(request({ messages }), call());

    expect((await wire.waitForRequest(0)).body).to.have.nested.property('messages[2].reasoning_content', 'I look.');
  });

  describe('if a server refuses its own data', () => {
    const refusal = (body: Json, code = 400): FakeServerHandler => {
      return (_, response) =>
        void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const REFUSALS: Readonly<Record<string, FakeServerHandler>> = {
      'in the error format of Cerebras': refusal({
        message: "messages.2.assistant.reasoning: property 'messages.2.assistant.reasoning' is unsupported",
        type: 'invalid_request_error',
        param: 'validation_error',
        code: 'wrong_api_format',
      }),
      'in the error format of Groq': refusal({
        error: {
          message:
            "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning' is unsupported, did you mean 'role'?)]",
          type: 'invalid_request_error',
        },
      }),
      'as a location in the request (Mistral, FastAPI)': refusal(
        {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'messages', 2, 'assistant', 'reasoning'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
        422,
      ),
    };
    const sentAssistantMessage = (index: number) =>
      (wire.receivedRequests.at(index)?.body.messages as readonly JsonObject[] | undefined)?.[2] ?? {};
    const REASONING_AND_CALL = [
      createChunk({ reasoning: 'I look.', reasoning_content: 'I look.' }),
      callChunk(firstCall()),
    ];

    for (const [errorFormat, refuse] of Object.entries(REFUSALS))
      it(`should repeat the request without the refused field, and omit the field for this language model: ${errorFormat}`, async () => {
        // given
        const { messages } = await requestWithHistory('openai', ...REASONING_AND_CALL);
        const provider = open();
        wire.nextHandlers.push(refuse);

        // when
        const completion = await provider.complete(request({ messages }), call());
        await provider.complete(request({ messages }), call());
        await provider.complete(request({ messages, model: 'another' }), call());

        // then
        expect(completion).to.include({ text: 'Yes.' });
        expect([1, 2, 3, 4].map((index) => 'reasoning' in sentAssistantMessage(index))).to.deep.equal([
          true,
          false,
          false,
          true,
        ]);
        expect([1, 2, 3, 4].every((index) => 'reasoning_content' in sentAssistantMessage(index))).to.equal(true);
        const keys = wire.receivedRequests.map(({ headers }) => headers['idempotency-key']);
        expect(keys[2]).not.to.equal(keys[1]);
      });

    it('should omit one refused field after the other, including fields of calls and content parts', async () => {
      // given
      const { messages } = await requestWithHistory(
        'openai',
        createChunk({
          reasoning: 'I look.',
          content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'I look.' }] }],
        }),
        callChunk(
          firstCall({
            extra_content: { google: { thought_signature: 'c2ln' } },
            function: { name: 'issue_read', arguments: '{"number":7}', thought_signature: 'c2ln' },
          }),
        ),
      );
      const outputSchema = { type: 'object', properties: { label: { type: 'string' } } };
      for (const refusedField of [
        'response_format is',
        'reasoning is',
        'extra_content is',
        'function.thought_signature is',
        'type thinking is',
      ])
        wire.nextHandlers.push(refusal({ error: { message: `${refusedField} not supported with this model` } }));

      // when
      await open().complete(request({ messages, outputSchema }), call());

      // then
      expect(wire.receivedRequests).to.have.length(7);
      expect(sentAssistantMessage(-1)).to.deep.equal({
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'issue_read', arguments: '{"number":7}' } }],
      });
    });

    it('should repeat each of two concurrent requests without the refused field', async () => {
      // given
      const { messages } = await requestWithHistory('openai', ...REASONING_AND_CALL);
      const provider = open();
      const [refuse] = Object.values(REFUSALS);
      const pendingResponses: (() => void)[] = [];
      const requestBoth: FakeServerHandler = (sent, response) => {
        pendingResponses.push(() => void refuse?.(sent, response));
        if (pendingResponses.length === 2) for (const respond of pendingResponses) respond();
      };
      wire.nextHandlers.push(requestBoth, requestBoth);

      // when
      const completions = await Promise.all([1, 2].map(() => provider.complete(request({ messages }), call())));

      // then
      expect(completions.map(({ text }) => text)).to.deep.equal(['Yes.', 'Yes.']);
    });

    it('should report any other refusal, such as a missing field', async () => {
      const { messages } = await requestWithHistory('openai', ...REASONING_AND_CALL);
      for (const message of [
        'Missing `reasoning_content` field in the assistant message at index 2',
        'The reasoning_content in the thinking mode must be passed back to the API.',
        'This model does not exist',
        'Unsupported parameter: temperature',
      ]) {
        wire.nextHandlers.push(refusal({ error: { message } }));
        const error = await captureModelError(open().complete(request({ messages }), call()));
        expect(error).to.include({ code: 'model_request_refused' });
        expect(error.message).to.contain(message);
      }
      expect(wire.receivedRequests).to.have.length(5);
    });
  });
});
