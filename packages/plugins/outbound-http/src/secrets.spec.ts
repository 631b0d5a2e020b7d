import { Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { createGuardedHttp, TestServers } from './guarded-http.spec.support.js';

describe('secrets in requests', () => {
  const CANARY = 'c4n4ry/"+väl';
  let servers: TestServers;
  beforeEach(() => {
    servers = new TestServers();
  });
  afterEach(() => servers.close());

  const createSecretOptions = (...hosts: string[]) => ({
    secrets: {
      CANARY: { Value: 'canary-7f3a', Hosts: hosts },
      EMPTY: { Value: '', Hosts: ['*:*'] },
      BROKEN: { Value: 'a\r\nb', Hosts: ['*:*'] },
    },
  });

  it('should be sent as a bearer token, a basic password or a header', async () => {
    const port = await servers.startHttp((_, response) => response.end());
    const url = `http://127.0.0.1:${port}/`;
    const { send } = createGuardedHttp(createSecretOptions('127.0.0.1:*'));

    await send(url, { credential: { type: 'bearer', secret: 'CANARY' } });
    await send(url, { credential: { type: 'basic', username: 'user', secret: 'CANARY' } });
    await send(url, { credential: { type: 'header', name: 'X-Api-Key', secret: new Secret('own') } });

    expect(servers.received.map(({ headers }) => headers.authorization ?? headers['x-api-key'])).to.deep.equal([
      'Bearer canary-7f3a',
      `Basic ${Buffer.from('user:canary-7f3a').toString('base64')}`,
      'own',
    ]);
  });

  it('should not be sent in a header for message framing or routing', async () => {
    const port = await servers.startHttp((_, response) => response.end());
    for (const name of [
      'Host',
      'Transfer-Encoding',
      'content-length',
      'Connection',
      'Upgrade',
      'Expect',
      'TE',
      'Trailer',
    ]) {
      const error = await createGuardedHttp(createSecretOptions('*:*')).refusal(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        body: 'abc',
        credential: { type: 'header', name, secret: new Secret('chunked') },
      });

      expect(error, name).to.include({ code: 'outbound_request_invalid', retryable: false });
    }
    expect(servers.received).to.deep.equal([]);
  });

  it('should be sent only to their configured hosts', async () => {
    const port = await servers.startHttp((_, response) => response.end());
    const error = await createGuardedHttp(createSecretOptions('api.example', '127.0.0.1')).refusal(
      `http://127.0.0.1:${port}/`,
      {
        credential: { type: 'bearer', secret: 'CANARY' },
      },
    );

    expect(error).to.include({ code: 'outbound_secret_not_for_host', retryable: false });
    expect(
      await createGuardedHttp(createSecretOptions()).refusal(`http://127.0.0.1:${port}/`, {
        credential: { type: 'bearer', secret: 'CANARY' },
      }),
    ).to.include({ code: 'outbound_secret_not_for_host' });
    expect(servers.received).to.deep.equal([]);
  });

  it('should not be sent unencrypted to a public address', async () => {
    const resolve = async () => [{ address: '93.184.216.34', family: 4 }];

    expect(
      await createGuardedHttp({ ...createSecretOptions('*'), resolve }).refusal('http://api.example/', {
        credential: { type: 'bearer', secret: 'CANARY' },
      }),
    ).to.include({ code: 'outbound_secret_in_clear', retryable: false });
  });

  it('should be refused if they are unknown, empty or invalid in a header', async () => {
    const captureErrorCode = async (secret: string) =>
      (
        await createGuardedHttp(createSecretOptions('*:*')).refusal('http://127.0.0.1:1/', {
          credential: { type: 'bearer', secret },
        })
      ).code;

    expect(await captureErrorCode('OTHER')).to.equal('outbound_secret_unknown');
    expect(await captureErrorCode('constructor')).to.equal('outbound_secret_unknown');
    expect(await captureErrorCode('EMPTY')).to.equal('outbound_secret_unknown');
    expect(await captureErrorCode('BROKEN')).to.equal('outbound_request_invalid');
  });

  it('should be hidden in the response', async () => {
    // given
    const secret = new Secret(CANARY.replace('ä', 'a'));
    const value = secret.reveal();
    const port = await servers.startHttp((request, response) =>
      response.writeHead(200, { 'X-Echo': request.headers['x-key'] as string }).end(
        JSON.stringify({
          plain: value,
          url: encodeURIComponent(value),
          base64: Buffer.from(value).toString('base64'),
          other: 'ümlaut',
        }),
      ),
    );

    // when
    const result = await createGuardedHttp().send(`http://127.0.0.1:${port}/`, {
      credential: { type: 'header', name: 'X-Key', secret },
    });

    // then
    expect(result.headers['x-echo']).to.equal('[secret]');
    expect(JSON.parse(result.body.toString())).to.deep.equal({
      plain: '[secret]',
      url: '[secret]',
      base64: '[secret]',
      other: 'ümlaut',
    });
  });

  it('should not appear in errors', async () => {
    const port = await servers.startTcp((socket) => socket.once('data', (sent) => socket.end(sent)));

    const error = await createGuardedHttp(createSecretOptions('*:*')).refusal(
      `http://127.0.0.1:${port}/?q=query-canary`,
      {
        credential: { type: 'bearer', secret: 'CANARY' },
      },
    );

    expect(JSON.stringify([error.message, { ...error }])).not.to.contain('canary');
  });
});
