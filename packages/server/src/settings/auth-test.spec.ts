import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthTest } from './auth-test.js';

describe('createAuthTest', () => {
  let server: Server;
  let issuer: string;
  let documents: Record<string, object>;

  beforeEach(async () => {
    server = createServer((request, response) => {
      const document = documents[request.url ?? ''];
      response
        .writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(document ?? {}));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    documents = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [{ kty: 'OKP' }] },
    };
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const runChecks = (authenticator: object) =>
    Promise.all(
      createAuthTest({ authenticator: authenticator as never, clock: { now: () => 0 } })
        .checks()
        .map(({ run }) =>
          run().then(
            (detail) => ['ok', detail],
            (error: Error) => ['failed', error.message],
          ),
        ),
    );

  it('should request the metadata and the keys of the issuer', async () => {
    expect(await runChecks({ issuer: { issuer } })).to.deep.equal([
      ['ok', `${issuer} responds.`],
      ['ok', `Keys at ${issuer}/keys: 1.`],
    ]);
  });

  it('should fail when the issuer has no keys, names another issuer or does not exist', async () => {
    documents['/keys'] = { keys: [] };
    expect((await runChecks({ issuer: { issuer } }))[1]).to.deep.equal([
      'failed',
      `${issuer}/keys responded with status 200 and no keys.`,
    ]);

    documents['/.well-known/openid-configuration'] = { issuer: 'https://other.example', jwks_uri: `${issuer}/keys` };
    expect((await runChecks({ issuer: { issuer } }))[0]?.[1]).to.contain(
      'describes another issuer: https://other.example',
    );

    documents = {};
    expect((await runChecks({ issuer: { issuer } })).map(([status]) => status)).to.deep.equal(['failed', 'failed']);
  });

  it('should fail when no way to sign in is configured', async () => {
    expect(await runChecks({ issuer: undefined, devTokensEnabled: false })).to.deep.equal([
      ['failed', 'Users cannot sign in. Set Auth:Issuer and Auth:Audience.'],
    ]);
  });
});
