import {
  isModelError,
  type Json,
  type ModelCompletion,
  type ModelCall,
  type ModelError,
  type ModelProviderContribution,
  type ModelRequest,
} from '@countersign/core/plugin';
import { findJsonProblem } from '@countersign/model';
import { expect } from 'chai';
import type { ScriptedResponse } from '../models/scripted-response.js';

export interface ModelProviderUnderTest {
  /**
   * Provider with the language model "m", at 1 per million input tokens and 4 per million output tokens, without
   * automatic retries.
   */
  readonly provider: ModelProviderContribution;
  /** Sets the script of the responses, from the first request. */
  setScript(script: readonly ScriptedResponse[]): Promise<void>;
  dispose(): Promise<void>;
}

/** Tests the contract of a model provider. Must be called in a Mocha spec. */
export function describeModelProvider(name: string, create: () => Promise<ModelProviderUnderTest>): void {
  describe(`${name} as a ModelProviderContribution`, () => {
    let subject: ModelProviderUnderTest;

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(async () => {
      await subject.dispose();
    });

    async function getResponse(
      script: readonly ScriptedResponse[],
      modelRequest = createRequest(),
    ): Promise<ModelCompletion> {
      await subject.setScript(script);
      return subject.provider.complete(modelRequest, createCall());
    }

    async function getError(script: readonly ScriptedResponse[]): Promise<ModelError> {
      const result: unknown = await getResponse(script).catch((error: unknown) => error);
      if (isModelError(result)) return result;
      throw new Error('The provider did not fail with a ModelError.', { cause: result });
    }

    it('should have an id that agent definitions can reference', () => {
      expect(subject.provider.id).to.match(/^[a-z0-9][a-z0-9-]*$/);
    });

    it('should return a text response with the name of the language model and the token usage', async () => {
      const completion = await getResponse([{ text: 'Grüße 👋🏽, and more than one piece of text.' }]);

      expect(completion).to.deep.include({
        text: 'Grüße 👋🏽, and more than one piece of text.',
        calls: [],
        stop: 'end',
      });
      expect(completion.model).to.be.a('string').and.not.equal('');
      for (const count of [completion.usage.inputTokens, completion.usage.outputTokens])
        expect(Number.isSafeInteger(count) && count > 0).to.equal(true);
      expect(findJsonProblem(completion as unknown as Json)).to.equal(undefined);
    });

    it('should return several calls of one turn with distinct ids', async () => {
      const { text, stop, calls } = await getResponse([
        {
          text: 'I look it up.',
          calls: [
            { name: 'issue_read', arguments: { number: 7, deep: { list: [1, null, 'ü'] } } },
            { name: 'issue_read', arguments: { number: 8 } },
            { name: 'nothing', arguments: {} },
          ],
        },
      ]);

      expect({ text, stop }).to.deep.equal({ text: 'I look it up.', stop: 'calls' });
      expect(calls.map(({ name: tool, arguments: toolArguments }) => [tool, toolArguments])).to.deep.equal([
        ['issue_read', { number: 7, deep: { list: [1, null, 'ü'] } }],
        ['issue_read', { number: 8 }],
        ['nothing', {}],
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).to.equal(3);
    });

    it('should continue with the results of its calls', async () => {
      // given
      await subject.setScript([
        {
          turn: 1,
          calls: [
            { name: 'issue_read', arguments: { number: 7 } },
            { name: 'issue_read', arguments: { number: 8 } },
          ],
        },
        { turn: 2, result: 'no such issue', calls: [{ name: 'issue_label', arguments: { label: 'bug' } }] },
        { turn: 3, result: 'labelled', text: 'Done.' },
      ]);
      const modelRequest = createRequest();

      // when
      const first = await subject.provider.complete(modelRequest, createCall());
      const second = await subject.provider.complete(
        continueRequest(modelRequest, first, ['{"title": "It crashes"}', { error: 'no such issue' }]),
        createCall(),
      );
      const third = await subject.provider.complete(
        continueRequest(
          continueRequest(modelRequest, first, ['{"title": "It crashes"}', { error: 'no such issue' }]),
          second,
          ['labelled'],
        ),
        createCall(),
      );

      // then
      expect([second.calls[0]?.arguments, third.text, third.stop]).to.deep.equal([{ label: 'bug' }, 'Done.', 'end']);
    });

    it('should continue after an output that does not match the schema', async () => {
      await subject.setScript([
        { turn: 1, text: 'Perhaps.' },
        { turn: 2, userText: 'Answer with JSON.', text: '{"label":"bug"}' },
      ]);
      const modelRequest = createRequest({
        outputSchema: {
          type: 'object',
          properties: { label: { type: 'string' } },
          required: ['label'],
          additionalProperties: false,
        },
      });

      const first = await subject.provider.complete(modelRequest, createCall());
      const correctedResponse = await subject.provider.complete(
        {
          ...modelRequest,
          messages: [...continueRequest(modelRequest, first, []).messages, { role: 'user', text: 'Answer with JSON.' }],
        },
        createCall(),
      );

      expect(JSON.parse(correctedResponse.text ?? '')).to.deep.equal({ label: 'bug' });
    });

    it('should return arguments that are not JSON as a string, and continue afterwards', async () => {
      await subject.setScript([
        { turn: 1, calls: [{ name: 'issue_read', arguments: '{"number": 7' }] },
        { turn: 2, text: 'Again.' },
      ]);

      const first = await subject.provider.complete(createRequest(), createCall());
      const second = await subject.provider.complete(
        continueRequest(createRequest(), first, [{ error: 'The arguments are not JSON.' }]),
        createCall(),
      );

      expect(first).to.deep.include({ stop: 'calls' });
      expect(first.calls[0]).to.deep.include({ name: 'issue_read', arguments: '{"number": 7' });
      expect(second.text).to.equal('Again.');
    });

    it('should report why a response stopped early: its length or a refusal', async () => {
      expect(await getResponse([{ text: 'So far and', stop: 'length' }])).to.deep.include({
        stop: 'length',
        text: 'So far and',
        calls: [],
      });
      expect(await getResponse([{ text: 'I would rather not.', stop: 'refusal' }])).to.deep.include({
        stop: 'refusal',
        calls: [],
      });
    });

    it('should accept a request without tools and not modify the request', async () => {
      const modelRequest = deepFreeze(createRequest({ tools: [] }));

      expect(await getResponse([{ text: 'Yes.' }], modelRequest)).to.deep.include({ text: 'Yes.' });
    });

    it('should match concurrent responses to their requests', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `<${index}>`);
      await subject.setScript(names.map((name) => ({ userText: name, text: `To ${name}` })));

      const responses = await Promise.all(
        names.map((text) =>
          subject.provider.complete(createRequest({ messages: [{ role: 'user', text }] }), createCall()),
        ),
      );

      expect(responses.map(({ text }) => text)).to.deep.equal(names.map((name) => `To ${name}`));
    });

    for (const [status, code, retryable] of [
      [429, 'model_rate_limited', true],
      [503, 'model_unavailable', true],
      [401, 'model_unauthorized', false],
      [400, 'model_request_refused', false],
    ] as const) {
      it(`should fail with the code ${code}`, async () => {
        expect(await getError([{ failure: { status } }])).to.include({ code, retryable });
      });
    }

    it('should report how long to wait before a retry', async () => {
      expect(await getError([{ failure: { status: 429, retryAfterMs: 12_345 } }])).to.include({
        retryable: true,
        retryAfterMs: 12_345,
      });
    });

    it('should throw the reason of an abort, before and during a request', async () => {
      await subject.setScript([{ hangs: true }]);
      const abortedBefore = new AbortController();
      abortedBefore.abort(new Error('before'));
      const abortedDuring = new AbortController();

      const first: unknown = await subject.provider
        .complete(createRequest(), createCall(abortedBefore.signal))
        .catch((error: unknown) => error);
      const modelRequest = subject.provider
        .complete(createRequest(), createCall(abortedDuring.signal))
        .catch((error: unknown) => error);
      setImmediate(() => abortedDuring.abort(new Error('meanwhile')));

      expect(first).to.have.property('message', 'before');
      expect(await modelRequest).to.have.property('message', 'meanwhile');
      expect(await subject.provider.check(abortedBefore.signal).catch((error: unknown) => error)).to.have.property(
        'message',
        'before',
      );
    });

    it('should be checkable without a request to the language model', async () => {
      await subject.setScript([]);

      expect(await subject.provider.check(new AbortController().signal)).to.match(/\.$/);
    });

    it('should return the price of a known language model only', async () => {
      await subject.setScript([{ text: 'x' }]);

      expect(subject.provider.price('m')).to.include({ input: 1, output: 4 });
      for (const model of ['other', '__proto__', 'constructor'])
        expect(subject.provider.price(model), model).to.equal(undefined);
    });
  });
}

let callCount = 0;

function createCall(signal = new AbortController().signal): ModelCall {
  callCount += 1;
  return { signal, idempotencyKey: `turn-${callCount}` };
}

function createRequest(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'm',
    system: 'You sort issues.',
    messages: [{ role: 'user', text: 'Sort issue 7.' }],
    tools: ['issue_read', 'issue_label'].map((tool) => ({
      name: tool,
      description: `Does ${tool}.`,
      inputSchema: { type: 'object', properties: {} },
    })),
    outputSchema: null,
    temperature: null,
    maxOutputTokens: 1_000,
    ...overrides,
  };
}

/** Returns the request that follows a response whose calls had these results. */
function continueRequest(
  previousRequest: ModelRequest,
  response: ModelCompletion,
  contents: readonly (string | { readonly error: string })[],
): ModelRequest {
  // The response in the form in which it is recorded.
  const { text, calls: recordedCalls, opaque } = JSON.parse(JSON.stringify(response)) as ModelCompletion;
  const results = contents.map((content, index) => {
    const callId = recordedCalls[index]?.id ?? '';
    return typeof content === 'string'
      ? { callId, content, isError: false }
      : { callId, content: content.error, isError: true };
  });
  return {
    ...previousRequest,
    messages: [
      ...previousRequest.messages,
      { role: 'assistant', text, calls: recordedCalls, opaque },
      ...(results.length === 0 ? [] : [{ role: 'tool' as const, results }]),
    ],
  };
}

function deepFreeze<T extends object>(value: T): T {
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) deepFreeze(item as object);
  return Object.freeze(value);
}
