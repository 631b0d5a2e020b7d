import { modelAnthropicPlugin } from '@countersign/model-anthropic';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { OpenAiWire, type WireAnswer } from '@countersign/testing';
import { expect } from 'chai';
import { call, failureOf, modelHost, request } from './models.spec.support.js';

const KEY = 'sk-test-0123456789';

describe('a text with status 200 in the place of a stream', () => {
  let wire: OpenAiWire;
  let origin: string;

  beforeEach(async () => {
    wire = new OpenAiWire(KEY);
    origin = await wire.listen();
  });

  afterEach(() => wire.close());

  const asked = (answer: WireAnswer, id = 'openai') => {
    wire.next.push(answer);
    const settings = { ApiKey: KEY, MaxRetries: 0 };
    const { provider } =
      id === 'openai'
        ? modelHost(modelOpenaiPlugin, { OpenAI: { BaseUrl: `${origin}/v1`, ...settings } })
        : modelHost(modelAnthropicPlugin, { Anthropic: { BaseUrl: origin, ...settings } });
    return provider(id).ask(request(), call());
  };
  const text =
    (type: string, ...parts: readonly string[]): WireAnswer =>
    (_, response) => {
      response.writeHead(200, { 'content-type': type });
      for (const part of parts) response.write(part);
      response.end();
    };

  for (const id of ['openai', 'anthropic']) {
    it(`should be quoted as the error that it is by ${id}, without the key`, async () => {
      for (const [type, said] of [
        ['text/html; charset=utf-8', `<title>Sign in to the proxy</title> ${KEY}`],
        ['text/plain', `upstream connect error: no route for ${KEY}`],
      ] as const) {
        const error = await failureOf(asked(text(type, said.slice(0, 3), said.slice(3)), id));

        expect(error).to.include({ code: 'model_unavailable', retryable: true });
        expect(error.message).to.contain(said.replace(KEY, '[secret]'));
      }
    });
  }

  it('should tell by its codes what kind of error it is', async () => {
    const said = JSON.stringify({ error: { message: 'Top up.', code: 'insufficient_quota' } });

    expect(await failureOf(asked(text('text/plain', said)))).to.include({
      code: 'model_rate_limited',
      retryable: false,
    });
  });

  it('should be cut if it has no end', async () => {
    const error = await failureOf(asked(text('text/plain', 'upstream error ', 'x'.repeat(200_000))));

    expect(error.message).to.contain('upstream error').and.have.length.below(800);
  });

  it('should be read as a stream if it is one', async () => {
    const chunk = (delta: object, reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    const parts = ['\n: keep', '-alive\n\nda', chunk({ content: 'Ye' }).slice(2), chunk({ content: 's.' }, 'stop')];

    expect(await asked(text('text/plain', ...parts))).to.include({ text: 'Yes.', stop: 'end' });
  });
});
