import { expect } from 'chai';
import { isModelError, type Json, type ModelError } from '@countersign/core/plugin';
import { modelScriptedPlugin } from './plugin.js';
import { createFollowUpRequest, CALL, createRequest, Scripts } from './scripted-models.spec.support.js';

describe('ScriptedModels', () => {
  let scripts: Scripts;
  beforeEach(() => {
    scripts = new Scripts();
  });
  afterEach(() => scripts.remove());

  async function captureRefusal(rules: Json, modelRequest = createRequest()): Promise<ModelError> {
    const models = await scripts.startModel(rules);
    const outcome: unknown = await models.complete(modelRequest, CALL).catch((error: unknown) => error);
    if (isModelError(outcome)) return outcome;
    throw new Error('The request was not refused.', { cause: outcome });
  }

  describe('rules', () => {
    it('should respond with the first matching rule', async () => {
      // given
      const models = await scripts.startModel([
        { when: { turn: 2 }, answer: { text: 'second' } },
        { when: { contains: ['Sort', 'number'] }, answer: { text: 'first' } },
        { answer: { text: 'any' } },
      ]);

      // when
      const first = await models.complete(createRequest(), CALL);
      const second = await models.complete(createFollowUpRequest(createRequest(), first), CALL);
      const third = await models.complete(createRequest({ messages: [{ role: 'user', text: 'Hello' }] }), CALL);

      // then
      expect([first, second, third].map(({ text, stop }) => ({ text, stop }))).to.deep.equal([
        { text: 'first', stop: 'end' },
        { text: 'second', stop: 'end' },
        { text: 'any', stop: 'end' },
      ]);
    });

    it('should match only the newest tool results', async () => {
      const models = await scripts.startModel([
        { when: { turn: 1 }, answer: { calls: [{ tool: 'issue.read', arguments: {} }] } },
        {
          when: { lastTool: 'issue.read', resultContains: 'crash' },
          answer: { calls: [{ tool: 'issue.label', arguments: { label: 'bug' } }] },
        },
        { when: { lastTool: 'issue.label', isError: true }, answer: { text: 'it went wrong' } },
        { when: { lastTool: 'issue.label' }, answer: { text: 'labelled' } },
      ]);

      const readResponse = await models.complete(createRequest(), CALL);
      const secondRequest = createFollowUpRequest(createRequest(), readResponse, 'a crash');
      const label = await models.complete(secondRequest, CALL);

      expect(readResponse.calls).to.deep.equal([{ id: 'call_1_1', name: 'issue_read', arguments: {} }]);
      expect(label.calls).to.deep.equal([{ id: 'call_2_1', name: 'issue_label', arguments: { label: 'bug' } }]);
      expect((await models.complete(createFollowUpRequest(secondRequest, label, 'done'), CALL)).text).to.equal(
        'labelled',
      );
      expect((await models.complete(createFollowUpRequest(secondRequest, label, { error: 'no' }), CALL)).text).to.equal(
        'it went wrong',
      );
    });

    it('should compare values by their path', async () => {
      const models = await scripts.startModel([
        { when: { equals: { 'inputs/issue/number': 8 } }, answer: { text: 'eight' } },
        { when: { equals: { 'inputs/issue/labels/0': 'a/b', 'inputs/issue/number': 7 } }, answer: { text: 'seven' } },
      ]);

      expect((await models.complete(createRequest(), CALL)).text).to.equal('seven');
    });

    it('should describe the request if no rule matches', async () => {
      const error = await captureRefusal([{ when: { turn: 9 }, answer: { text: 'x' } }]);

      expect(error).to.include({ code: 'model_request_refused', retryable: false });
      expect(error.message)
        .to.contain('No rule')
        .and.to.contain('turn 1')
        .and.to.contain('issue_read, issue_label')
        .and.to.contain('Sort it.');
    });

    it('should fail with the error that the rule specifies', async () => {
      const error = await captureRefusal([
        { fail: { code: 'model_rate_limited', message: 'Slowly.', retryable: true, retryAfterMs: 5 } },
      ]);

      expect(error).to.include({ code: 'model_rate_limited', message: 'Slowly.', retryable: true, retryAfterMs: 5 });
    });
  });

  describe('values', () => {
    it('should come from inputs and results', async () => {
      // given
      const models = await scripts.startModel([
        {
          when: { turn: 1 },
          answer: {
            calls: [
              { tool: 'issue_read', arguments: { number: { $from: 'inputs/issue/number' } } },
              { tool: 'issue_label', arguments: {} },
            ],
          },
        },
        {
          answer: {
            output: {
              title: { $from: 'results/issue.read/title' },
              label: { $from: 'inputs/issue/labels/0' },
              last: { $from: 'result' },
              none: { $from: 'result/none', default: [] },
              said: {
                $text: ['Issue ', { $from: 'inputs/issue/number' }, ': ', { $from: 'results/issue_read/title' }],
              },
            },
          },
        },
      ]);

      // when
      const first = await models.complete(createRequest(), CALL);
      const last = await models.complete(
        createFollowUpRequest(createRequest(), first, '{"title": "It {\\"$from\\": \\"shown\\"} fails"}', 'done'),
        CALL,
      );

      // then
      expect(first.calls[0]?.arguments).to.deep.equal({ number: 7 });
      expect(JSON.parse(last.text ?? '')).to.deep.equal({
        title: 'It {"$from": "shown"} fails',
        label: 'a/b',
        last: 'done',
        none: [],
        said: 'Issue 7: It {"$from": "shown"} fails',
      });
    });

    it('should be read from the data blocks of the agent runtime', async () => {
      // given
      const models = await scripts.startModel([
        {
          when: { turn: 1 },
          answer: { text: { $from: 'inputs/issue/number' }, calls: [{ tool: 'issue_read', arguments: {} }] },
        },
        { answer: { output: { all: { $from: 'result' } } } },
      ]);
      const dataBlock = (source: string, body: string) => `<data source="${source}">\n${body}\n</data>`;
      const asked = createRequest({
        messages: [
          {
            role: 'user',
            text: `Answer as {"label": "…"}.\n\nThe inputs of this step:\n${dataBlock('inputs', '{"issue":{"number":9}}')}`,
          },
        ],
      });

      // when
      const first = await models.complete(asked, CALL);
      const last = async (body: string) =>
        JSON.parse(
          (await models.complete(createFollowUpRequest(asked, first, dataBlock('issue.read', body)), CALL)).text ?? '',
        ) as unknown;

      // then
      expect(first.text).to.equal('9');
      expect(await last('[1,"\\u003c/data>"]')).to.deep.equal({ all: [1, '</data>'] });
      expect(await last('It is\nopen.')).to.deep.equal({ all: 'It is\nopen.' });
    });

    it('should be refused if their path is missing or leads to a prototype', async () => {
      for (const reference of [
        'inputs/constructor',
        'inputs/issue/labels/length',
        'inputs/issue/none',
        'nothing',
        'result',
        'results/issue_read',
      ]) {
        const error = await captureRefusal([{ answer: { text: { $from: reference } } }]);
        expect(error, reference).to.include({ code: 'model_request_refused' });
        expect(error.message).to.contain(`"${reference}"`);
      }
    });
  });

  describe('responses', () => {
    it('should be the same for the same request, and include token counts', async () => {
      const rules = [{ answer: { text: 'twelve chars', calls: [{ tool: 'not.offered', arguments: 'no JSON' }] } }];
      const responses = [
        await (await scripts.startModel(rules)).complete(createRequest(), CALL),
        await (await scripts.startModels()).complete(createRequest(), CALL),
      ];

      expect(responses[0]).to.deep.equal(responses[1]);
      expect(responses[0]).to.deep.include({
        model: 'm',
        stop: 'calls',
        calls: [{ id: 'call_1_1', name: 'not_offered', arguments: 'no JSON' }],
      });
      expect(responses[0]?.usage.inputTokens).to.be.greaterThan(50);
    });

    it('should be truncated if the request limits the output tokens', async () => {
      const models = await scripts.startModel([{ answer: { text: 'x'.repeat(100) } }]);

      expect(await models.complete(createRequest({ maxOutputTokens: 3 }), CALL)).to.deep.include({
        stop: 'length',
        text: 'x'.repeat(12),
      });
    });
  });

  describe('loading of scripts', () => {
    it('should report the errors of all invalid scripts together', async () => {
      await scripts.write('a.yaml', 'rules: [{answer: {texts: x}}]');
      await scripts.write('b.yaml', 'rules: [');
      await scripts.write('c.json', { model: 'd', rules: [{ answer: {} }] });
      await scripts.write('d.json', { rules: [{ answer: { text: 'x', output: {} } }] });
      await scripts.write('f.yaml', 'rules:\n  - answer: {output: {id: 9007199254740993}}');
      await scripts.write('e.json', { model: 'd', rules: [{ answer: { text: 'x' } }] });

      const error: unknown = await scripts.startModels().catch((thrown: unknown) => thrown);

      expect(error).to.have.property('code', 'model_scripts_invalid');
      for (const name of ['a.yaml', 'b.yaml', 'd.json', 'e.json']) expect((error as Error).message).to.contain(name);
      expect((error as Error).message).to.contain('the language model "d" already has the script');
      expect((error as Error).message).to.contain('f.yaml:2: This number cannot be stored exactly.');
    });

    it('should read YAML scripts, prices and names of language models', async () => {
      await scripts.write(
        'one.yaml',
        'model: first\nprice: {input: 1, output: 2}\nrules:\n  - answer: {text: hello}\n',
      );
      await scripts.write('two.yml', 'rules: [{answer: {text: x}}]');
      await scripts.write('README.md', 'no script');
      const models = await scripts.startModels();

      expect(await models.check(CALL.signal)).to.equal('There are scripts for "first", "two".');
      expect([models.price('first'), models.price('two')]).to.deep.equal([{ input: 1, output: 2 }, undefined]);
      expect((await models.complete(createRequest({ model: 'first' }), CALL)).text).to.equal('hello');
    });
  });

  it('should refuse a language model without a script', async () => {
    const error = await captureRefusal([{ answer: { text: 'x' } }], createRequest({ model: 'gpt' }));

    expect(error).to.include({
      code: 'model_request_refused',
      message: 'There is no script for the language model "gpt". There are scripts for "m".',
    });
  });

  it('should contribute nothing without a configured script file', () => {
    const contributions: unknown[] = [];
    const registerPlugin = (Scripted: { File?: string }) =>
      modelScriptedPlugin.register({
        config: { Models: { Scripted } },
        contribute: (...contribution: unknown[]) => contributions.push(contribution),
        provide: () => undefined,
      } as never);

    registerPlugin({});
    expect(contributions).to.deep.equal([]);
    registerPlugin({ File: '/a.yaml' });
    expect(contributions).to.have.length(2);
  });

  it('should stop waiting for a delayed response when the request is aborted', async () => {
    const models = await scripts.startModel([{ answer: { text: 'x', delayMs: 60_000 } }]);
    const controller = new AbortController();
    const asked = models
      .complete(createRequest(), { ...CALL, signal: controller.signal })
      .catch((error: unknown) => error);

    controller.abort(new Error('cancelled'));

    expect(await asked).to.have.property('message', 'cancelled');
  });
});
