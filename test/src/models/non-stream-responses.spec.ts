import { modelAnthropicPlugin } from '@countersign/model-anthropic';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { FakeOpenAiServer, type FakeServerHandler } from '@countersign/testing';
import { expect } from 'chai';
import { call, captureModelError, createModelHost, request } from './models.spec.support.js';

const KEY = 'sk-test-0123456789';

describe('a text response with status 200 in place of a stream', () => {
  let wire: FakeOpenAiServer;
  let origin: string;

  beforeEach(async () => {
    wire = new FakeOpenAiServer(KEY);
    origin = await wire.listen();
  });

  afterEach(() => wire.close());

  const sendRequest = (handler: FakeServerHandler, id = 'openai') => {
    wire.nextHandlers.push(handler);
    const settings = { ApiKey: KEY, MaxRetries: 0 };
    const { provider } =
      id === 'openai'
        ? createModelHost(modelOpenaiPlugin, { OpenAI: { BaseUrl: `${origin}/v1`, ...settings } })
        : createModelHost(modelAnthropicPlugin, { Anthropic: { BaseUrl: origin, ...settings } });
    return provider(id).complete(request(), call());
  };
  const textResponse =
    (type: string | undefined, ...parts: readonly string[]): FakeServerHandler =>
    (_, response) => {
      response.writeHead(200, type === undefined ? {} : { 'content-type': type });
      for (const part of parts) response.write(part);
      response.end();
    };

  for (const id of ['openai', 'anthropic']) {
    it(`should be quoted in the error of ${id}, without the key`, async () => {
      for (const [type, responseText] of [
        ['text/html; charset=utf-8', `<title>Sign in to the proxy</title> ${KEY}`],
        ['text/plain', `upstream connect error: no route for ${KEY}`],
        ['text/event-stream', `<title>Sign in to the proxy</title> ${KEY}`],
        ['application/octet-stream', `upstream connect error: no route for ${KEY}`],
        ['application/xml', `<Error><Code>SlowDown</Code></Error> ${KEY}`],
        [undefined, `upstream connect error: no route for ${KEY}`],
      ] as const) {
        const error = await captureModelError(
          sendRequest(textResponse(type, responseText.slice(0, 3), responseText.slice(3)), id),
        );

        expect(error).to.include({ code: 'model_unavailable', retryable: true });
        expect(error.message).to.contain(responseText.replace(KEY, '[secret]'));
      }
    });
  }

  it('should be classified by the error code in the text', async () => {
    const errorBody = { error: { message: 'Top up.', code: 'insufficient_quota' } };
    const types = ['text/plain', 'text/event-stream', 'application/octet-stream', 'application/x-ndjson', 'text/json'];
    for (const type of [...types, 'application/xml', undefined])
      for (const [id, body] of [
        ['openai', JSON.stringify(errorBody, null, 2)],
        ['openai', `\ufeff\n${JSON.stringify(errorBody)}`],
        ['anthropic', `${JSON.stringify({ id: 'm' })}\n${JSON.stringify(errorBody)}\n`],
      ] as const) {
        const error = await captureModelError(sendRequest(textResponse(type, body.slice(0, 1), body.slice(1)), id));

        expect(error, `${type} ${body}`).to.include({ code: 'model_rate_limited', retryable: false });
        expect(error.message).to.contain('Top up.');
      }
  });

  it('should be read as the response if it is a complete response in JSON', async () => {
    const toolCall = { id: 'a', function: { name: 'issue_read', arguments: { number: '<>' } } };
    const responseBody = JSON.stringify(
      { choices: [{ message: { content: 'I look.', tool_calls: [toolCall] }, finish_reason: 'tool_calls' }] },
      null,
      2,
    ).replace('"<>"', '9007199254740993');
    for (const type of ['application/json', 'text/plain', 'text/event-stream', undefined]) {
      expect(await sendRequest(textResponse(type, '\n\n', responseBody)), type).to.deep.include({
        text: 'I look.',
        calls: [{ id: 'a', name: 'issue_read', arguments: { number: '9007199254740993' } }],
      });
    }
  });

  it('should be quoted in the error if it is unknown JSON', async () => {
    const error = await captureModelError(sendRequest(textResponse('text/event-stream', '{"answer":"Yes."}')));

    expect(error).to.include({ code: 'model_unavailable', retryable: true });
    expect(error.message).to.contain('{"answer":"Yes."}');
  });

  it('should be truncated in the error message', async () => {
    const error = await captureModelError(
      sendRequest(textResponse('text/plain', 'upstream error ', 'x'.repeat(200_000))),
    );

    expect(error.message).to.contain('upstream error').and.have.length.below(800);
  });

  it('should be read as a stream if it contains stream events, whatever its content type', async () => {
    const chunk = (delta: object, reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    const parts = ['\n: keep', '-alive\n\nda', chunk({ content: 'Ye' }).slice(2), chunk({ content: 's.' }, 'stop')];

    for (const type of ['text/plain', 'text/event-stream', 'application/x-ndjson', undefined]) {
      expect(await sendRequest(textResponse(type, ...parts))).to.include({ text: 'Yes.', stop: 'end' });
      // Whitespace that keeps the connection open.
      expect(
        await sendRequest(textResponse(type, ...Array.from({ length: 3 }, () => '\n'.repeat(1_000)), ...parts)),
      ).to.include({
        text: 'Yes.',
      });
    }
  });
});
