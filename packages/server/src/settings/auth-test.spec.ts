import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authTest } from './auth-test.js';

describe('the test of sign-in', () => {
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

  it('should ask the issuer for its description and its keys', async () => {
    expect(await outcomes({ issuer: { issuer } })).to.deep.equal([
      ['ok', `${issuer} answers.`],
      ['ok', `1 at ${issuer}/keys.`],
    ]);
  });

  it('should notice that it has none, that it is somebody else, and that it is not there', async () => {
    answers['/keys'] = { keys: [] };
    expect((await outcomes({ issuer: { issuer } }))[1]).to.deep.equal([
      'failed',
      `${issuer}/keys answered 200, and no keys.`,
    ]);

    answers['/.well-known/openid-configuration'] = { issuer: 'https://other.example', jwks_uri: `${issuer}/keys` };
    expect((await outcomes({ issuer: { issuer } }))[0]?.[1]).to.contain('is about the issuer https://other.example');

    answers = {};
    expect((await outcomes({ issuer: { issuer } })).map(([outcome]) => outcome)).to.deep.equal(['failed', 'failed']);
  });

  it('should say that nobody can sign in', async () => {
    expect(await outcomes({ issuer: undefined, devTokensEnabled: false })).to.deep.equal([
      ['failed', 'Nobody can sign in: set Auth:Issuer and Auth:Audience.'],
    ]);
  });
});
