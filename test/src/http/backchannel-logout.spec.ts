import { createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Problem } from '@countersign/contract';
import { StoragePort } from '@countersign/core';
import { createTestHost, type TestHost, currentTime, waitUntil } from '@countersign/testing';
import { expect } from 'chai';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
type Claims = Readonly<Record<string, unknown>>;

describe('API: back-channel logout', () => {
  let issuer: Server;
  let url: string;
  let key: KeyObject;
  let firstServer: TestHost;
  let secondServer: TestHost;
  let adminToken: string;

  before(async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    key = pair.privateKey;
    const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
    issuer = createServer((request, response) => {
      const document = request.url === '/keys' ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/keys` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    }).listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    const Auth = {
      DevToken: { Enabled: false },
      Issuer: url,
      Audience: 'api',
      ClientId: 'web',
      UserNameClaim: 'preferred_username',
    };
    const configuration = { Auth };
    firstServer = await createTestHost({ configuration });
    secondServer = await createTestHost({ shareDataWith: firstServer, configuration });
    adminToken = accessToken({ sub: 'root', roles: ['admin'], sid: 'root-session' });
  });

  after(async () => {
    await secondServer.close();
    await firstServer.close();
    issuer.closeAllConnections();
    issuer.close();
  });

  const nowSeconds = (): number => Math.floor(currentTime() / 1000);
  function signToken(claims: Claims, typ: string, privateKey = key): string {
    const signingInput = [{ alg: 'RS256', kid: 'one', typ }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${signingInput}.${createSign('sha256').update(signingInput).sign(privateKey).toString('base64url')}`;
  }
  const accessToken = (claims: Claims): string =>
    signToken(
      { iss: url, aud: 'api', iat: nowSeconds() - 60, exp: nowSeconds() + 600, roles: ['viewer'], ...claims },
      'at+jwt',
    );
  const logoutToken = (claims: Claims, typ = 'logout+jwt', privateKey = key): string =>
    signToken(
      {
        iss: url,
        aud: 'web',
        iat: nowSeconds(),
        exp: nowSeconds() + 120,
        jti: randomUUID(),
        events: { [LOGOUT_EVENT]: {} },
        ...claims,
      },
      typ,
      privateKey,
    );
  const post = (token: string, host = firstServer): Promise<Response> =>
    fetch(`${host.url}/api/auth/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
  const fetchStatus = async (token: string, host = firstServer): Promise<number> =>
    (await fetch(`${host.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status;
  const waitUntilSessionEnded = (token: string, host: TestHost): Promise<true> =>
    waitUntil('the session has ended', async () => (await fetchStatus(token, host)) === 401);

  it('should end one session and its streams on all servers, and no other session', async () => {
    // given
    const [ownToken, otherToken] = [accessToken({ sub: 'ada', sid: 'one' }), accessToken({ sub: 'ada', sid: 'two' })];
    for (const host of [firstServer, secondServer])
      expect([await fetchStatus(ownToken, host), await fetchStatus(otherToken, host)]).to.deep.equal([200, 200]);
    const streams = await Promise.all(
      [firstServer, secondServer].map((host) =>
        fetch(`${host.url}/api/events`, {
          headers: { authorization: `Bearer ${ownToken}`, accept: 'text/event-stream' },
        }),
      ),
    );

    // when
    const response = await post(logoutToken({ sub: 'ada', sid: 'one' }));

    // then
    expect([response.status, response.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(await fetchStatus(ownToken)).to.equal(401);
    await waitUntilSessionEnded(ownToken, secondServer);
    await Promise.all(streams.map((stream) => stream.text()));
    for (const host of [firstServer, secondServer]) expect(await fetchStatus(otherToken, host)).to.equal(200);
  });

  it('should end all earlier tokens of the person and no later tokens when the logout token names no session', async () => {
    // given: times relative to one instant, valid even if a second passes during the test
    const now = nowSeconds();
    const earlierToken = accessToken({ sub: 'bea', sid: 'any', iat: now - 60 });
    const sameSecondToken = accessToken({ sub: 'bea', iat: now - 1 });
    const laterToken = accessToken({ sub: 'bea', iat: now + 4 });

    // when
    expect((await post(logoutToken({ sub: 'bea', iat: now - 1 }))).status).to.equal(200);

    // then
    expect([
      await fetchStatus(earlierToken),
      await fetchStatus(laterToken),
      await fetchStatus(sameSecondToken),
    ]).to.deep.equal([401, 200, 401]);
    expect(await fetchStatus(accessToken({ sub: 'cem' }))).to.equal(200);
  });

  it('should end tokens without a session id when the logout token names the person and a session', async () => {
    const [tokenWithoutSession, tokenOfOtherSession] = [
      accessToken({ sub: 'dora' }),
      accessToken({ sub: 'dora', sid: 'other' }),
    ];
    await post(logoutToken({ sub: 'dora', sid: 'ended' }));
    expect([await fetchStatus(tokenWithoutSession), await fetchStatus(tokenOfOtherSession)]).to.deep.equal([401, 200]);
  });

  it('should not store the user name from a token of an ended session', async () => {
    // given
    const [former, current] = ['fay@example.com', 'fay.new@example.com'];
    expect(await fetchStatus(accessToken({ sub: 'fay', preferred_username: former }))).to.equal(200);
    await post(logoutToken({ sid: 'fay-session' }));

    // when
    const tokenOfEndedSession = accessToken({
      sub: 'fay',
      sid: 'fay-session',
      preferred_username: current,
      iat: nowSeconds(),
    });
    expect(await fetchStatus(tokenOfEndedSession)).to.equal(401);

    // then
    expect(await firstServer.host.get(StoragePort).findUserNames('fay')).to.deep.equal([former]);
  });

  it('should apply to a server that starts after the logout', async () => {
    const token = accessToken({ sub: 'eda', sid: 'eda' });
    await post(logoutToken({ sid: 'eda' }));
    const thirdServer = await createTestHost({
      shareDataWith: firstServer,
      configuration: { Auth: { DevToken: { Enabled: false }, Issuer: url, Audience: 'api', ClientId: 'web' } },
    });
    expect(await fetchStatus(token, thirdServer)).to.equal(401);
    await thirdServer.close();
  });

  it('should refuse logout tokens that are invalid, reused, or meant for another issuer or client', async () => {
    const token = accessToken({ sub: 'finn', sid: 'finn' });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const validClaims = { sub: 'finn', sid: 'finn' };
    const usedToken = logoutToken({ sub: 'greta' });
    expect((await post(usedToken)).status).to.equal(200);
    const refusedTokens: Record<string, string> = {
      'a used token': usedToken,
      'another key': logoutToken(validClaims, 'logout+jwt', privateKey),
      'another issuer': logoutToken({ ...validClaims, iss: 'https://elsewhere.example' }),
      'another client': logoutToken({ ...validClaims, aud: 'api' }),
      'an old token': logoutToken({ ...validClaims, iat: nowSeconds() - 400 }),
      'an expired token': logoutToken({ ...validClaims, exp: nowSeconds() - 60 }),
      'no events': logoutToken({ ...validClaims, events: undefined }),
      'another event': logoutToken({ ...validClaims, events: { 'urn:other': {} } }),
      'an event that is not an object': logoutToken({ ...validClaims, events: { [LOGOUT_EVENT]: true } }),
      'a nonce': logoutToken({ ...validClaims, nonce: 'n' }),
      'no jti': logoutToken({ ...validClaims, jti: undefined }),
      'no subject and no session': logoutToken({}),
      'another type': logoutToken(validClaims, 'at+jwt'),
      'an access token': token,
      'an empty token': '',
    };
    for (const [caseName, each] of Object.entries(refusedTokens)) {
      const response = await post(each);
      expect([response.status, ((await response.json()) as Problem).code], caseName).to.deep.equal([
        400,
        'invalid_logout_token',
      ]);
    }
    expect(await fetchStatus(token)).to.equal(200);
    const duplicateParameters = new URLSearchParams([
      ['logout_token', logoutToken(validClaims)],
      ['logout_token', logoutToken(validClaims)],
    ]);
    expect(
      (await fetch(`${firstServer.url}/api/auth/backchannel-logout`, { method: 'POST', body: duplicateParameters }))
        .status,
    ).to.equal(400);
    // a logout token does not authenticate requests
    expect(await fetchStatus(logoutToken(validClaims))).to.equal(401);
  });

  it('should be recorded in the audit trail', async () => {
    await post(logoutToken({ sub: 'hugo' }));
    const { items } = await createClient({ baseUrl: firstServer.url, token: adminToken }).listAuditEvents({
      limit: 50,
    });
    expect(items.find(({ target }) => target?.id === 'hugo')).to.deep.include({
      action: 'session.end',
      actor: null,
      result: 'ok',
    });
  });

  it('should respond with 404 when no issuer is configured', async () => {
    const developmentServer = await createTestHost();
    expect((await post(logoutToken({ sub: 'ada' }), developmentServer)).status).to.equal(404);
    await developmentServer.close();
  });
});
