import { modelOpenaiPlugin } from '@countersign/model-openai';
import { FakeOpenAiServer, type FakeServerHandler } from '@countersign/testing';
import { expect } from 'chai';
import { call, createModelHost, request } from '../models.spec.support.js';
import { azure } from './apis/azure.js';

const KEY = 'key-of-azure';
const PATH = '/openai/deployments/gpt-4.1';

describe('model-openai with Azure deployments', () => {
  let wire: FakeOpenAiServer;
  let origin: string;

  beforeEach(async () => {
    wire = new FakeOpenAiServer(KEY);
    origin = await wire.listen();
  });

  afterEach(() => wire.close());

  const completionResponse: FakeServerHandler = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of azure.turns[3] ?? [])
      response.write(typeof event === 'string' ? `${event}\n\n` : `data: ${JSON.stringify(event)}\n\n`);
    response.end();
  };

  async function sendAndGetRequest(BaseUrl: string) {
    wire.nextHandlers.push(completionResponse);
    const settings = { Id: 'azure', BaseUrl, ApiKey: KEY, MaxRetries: 0 };
    const { provider } = createModelHost(modelOpenaiPlugin, { OpenAICompatible: [settings] });
    process.env.OPENAI_CUSTOM_HEADERS = 'api-key: other';
    await provider('azure')
      .complete(request(), call())
      .finally(() => {
        delete process.env.OPENAI_CUSTOM_HEADERS;
      });
    return wire.waitForRequest(0);
  }

  it('should send the API version in the query and the key in the header `api-key`', async () => {
    const { path, headers } = await sendAndGetRequest(`${origin}${PATH}?api-version=2024-10-21`);

    expect(path).to.equal(`${PATH}/chat/completions?api-version=2024-10-21`);
    expect(headers).to.include({ 'api-key': KEY }).and.not.to.have.property('authorization');
  });

  it('should send any other query unchanged and the key as a bearer token', async () => {
    const { path, headers } = await sendAndGetRequest(`${origin}/v1/?tenant=a%20b`);

    expect(path).to.equal('/v1/chat/completions?tenant=a%20b');
    expect(headers)
      .to.include({ authorization: `Bearer ${KEY}` })
      .and.not.to.have.property('api-key');
  });

  it('should list the language models of the resource in the connection test', async () => {
    for (const [path, modelsPath] of [
      [`${PATH}?api-version=2024-10-21`, '/openai/models?api-version=2024-10-21'],
      [`${PATH}/?api-version=2024-10-21`, '/openai/models?api-version=2024-10-21'],
      ['/deployments/v1', '/deployments/v1/models'],
    ]) {
      const settings = { Id: 'azure', BaseUrl: `${origin}${path}`, ApiKey: KEY, MaxRetries: 0 };
      const { provider } = createModelHost(modelOpenaiPlugin, { OpenAICompatible: [settings] });
      wire.nextHandlers.push(
        (_, response) => void response.setHeader('content-type', 'application/json').end('{"data":[]}'),
      );

      expect(await provider('azure').check(new AbortController().signal)).to.contain('Language models offered: 0');

      expect(wire.receivedRequests.at(-1)?.path).to.equal(modelsPath);
    }
  });
});
