import { request as httpRequest } from 'node:http';
import {
  definePlugin,
  type JsonObject,
  type WebhookResponse,
  WebhookContribution,
  type WebhookDelivery,
} from '@countersign/core/plugin';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';

/** Responds with the request that it received. */
class EchoWebhook implements WebhookContribution {
  static open = true;
  readonly path = '/webhooks/echo';

  isOpen(): boolean {
    return EchoWebhook.open;
  }

  async receive({ header, body, from }: WebhookDelivery): Promise<WebhookResponse> {
    return { status: 202, body: { body: body.toString('latin1'), signature: header('X-Signature') ?? null, from } };
  }
}

const echoPlugin = definePlugin({
  id: 'echo',
  register({ contribute }) {
    contribute(WebhookContribution, EchoWebhook);
  },
});

describe('webhooks of plugins', () => {
  let countersign: TestHost;

  before(async () => {
    countersign = await createTestHost({ plugins: [echoPlugin], configuration: { Limits: { WebhookBytes: 100 } } });
  });

  beforeEach(() => {
    EchoWebhook.open = true;
  });

  after(() => countersign.close());

  const post = async (path: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${countersign.url}${path}`, { method: 'POST', body, headers });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };

  it('should receive the unchanged bytes of any content type without a token', async () => {
    const { status, body } = await post('/webhooks/echo', Buffer.from([0xff, 0x00, 0x7b]), {
      'Content-Type': 'text/plain',
      'x-SIGNATURE': 's',
    });

    expect(status).to.equal(202);
    expect(body).to.eql({ body: '\u00ff\u0000{', signature: 's', from: '127.0.0.1' });
  });

  it('should not receive the value of a duplicate header', async () => {
    const responseBody = await new Promise<string>((resolve, reject) => {
      const request = httpRequest(
        `${countersign.url}/webhooks/echo`,
        { method: 'POST', headers: { 'X-Signature': ['good', 'bad'] } },
        (response) => {
          response.setEncoding('utf8').on('data', resolve);
        },
      );
      request.on('error', reject).end();
    });

    expect(JSON.parse(responseBody)).to.include({ signature: null });
  });

  it('should respond with 404 while closed or when no plugin serves the path', async () => {
    EchoWebhook.open = false;

    for (const path of ['/webhooks/echo', '/webhooks/events', '/webhooks/other']) {
      const { status, body } = await post(path, '{}');
      expect(status, path).to.equal(404);
      expect(body['code'], path).to.equal('route_not_found');
    }
  });

  it('should refuse requests with a body that is too large or has a content encoding', async () => {
    expect((await post('/webhooks/echo', 'x'.repeat(100))).status).to.equal(202);
    expect(await post('/webhooks/echo', 'x'.repeat(101))).to.have.nested.property('body.code', 'payload_too_large');
    expect(await post('/webhooks/echo', 'x', { 'Content-Encoding': 'gzip' })).to.have.nested.property(
      'body.code',
      'unsupported_media_type',
    );
  });
});
