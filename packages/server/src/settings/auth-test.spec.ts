import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authTest } from './auth-test.js';

describe('authTest', () => {
  let server: Server;
  let issuer: string;
  let answers: Record<string, object>;

  beforeEach(async () => {
    server = createServer((request, response) => {
      const answer = answers[request.url ?? ''];
      response
        .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer ?? {}));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    answers = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [{ kty: 'OKP' }] },
    };
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const outcomes = (authenticator: object) =>
    Promise.all(
      authTest({ authenticator: authenticator as never, clock: { now: () => 0 } })
        .checks()
        .map(({ run }) =>
          run().then(
            (detail) => ['ok', detail],
            (error: Error) => ['failed', error.message],
          ),
        ),
    );

  it('should request the metadata and the keys of the issuer', async () => {
    expect(await outcomes({ issuer: { issuer } })).to.deep.equal([
      ['ok', `${issuer} responds.`],
      ['ok', `Keys at ${issuer}/keys: 1.`],
    ]);
  });

  it('should fail when the issuer has no keys, names another issuer or does not exist', async () => {
    answers['/keys'] = { keys: [] };
    expect((await outcomes({ issuer: { issuer } }))[1]).to.deep.equal([
      'failed',
      `${issuer}/keys responded with status 200 and no keys.`,
    ]);

    answers['/.well-known/openid-configuration'] = { issuer: 'https://other.example', jwks_uri: `${issuer}/keys` };
    expect((await outcomes({ issuer: { issuer } }))[0]?.[1]).to.contain(
      'describes another issuer: https://other.example',
    );

    answers = {};
    expect((await outcomes({ issuer: { issuer } })).map(([outcome]) => outcome)).to.deep.equal(['failed', 'failed']);
  });

  it('should fail when no way to sign in is configured', async () => {
    expect(await outcomes({ issuer: undefined, devTokensEnabled: false })).to.deep.equal([
      ['failed', 'Users cannot sign in. Set Auth:Issuer and Auth:Audience.'],
    ]);
  });
});
