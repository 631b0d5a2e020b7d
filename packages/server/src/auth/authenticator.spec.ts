import { currentTime } from '@countersign/model/testing';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreConfigurationSchema, isApiError, type CoreConfiguration } from '@countersign/core';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { Authenticator } from './authenticator.js';
import { EndedSessions } from './ended-sessions.js';
import { checkAuthConfiguration } from './check-auth-configuration.js';
import { getDevTokenKeyPath, loadDevTokenKey } from './dev-token-key.js';
import { mintDevToken } from './dev-tokens.js';

/** A store that discards people. */
const PEOPLE_STORE = { recordPerson: () => Promise.resolve() };
const createEmptyEndedSessions = (): EndedSessions =>
  new EndedSessions(
    { endSessions: () => Promise.resolve(true), listEndedSince: () => Promise.resolve({ sessions: [], position: 0 }) },
    { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    { now: currentTime },
    0,
  );

const defaults = {
  Server: {},
  Data: {},
  Workflows: {},
  Agents: { DefaultModel: {} },
  Engine: {},
  Auth: { DevToken: {}, SigningKeys: {} },
  Runs: {},
  Approvals: {},
  Artifacts: {},
  Limits: {},
  Log: {},
  Settings: {},
};

function parseConfiguration(Auth: object, Directory: string): CoreConfiguration {
  return CoreConfigurationSchema.parse({
    ...defaults,
    Auth: { DevToken: {}, SigningKeys: {}, ...Auth },
    Data: { Directory },
  });
}

/** Returns the time of the system clock, which is also used to verify tokens. */
function nowInSeconds(): number {
  return Math.floor(currentTime() / 1000);
}

async function rejectionCode(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isApiError(error) ? error.code : String(error);
}

describe('Authenticator', () => {
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-auth-'));
  });

  after(() => rm(directory, { recursive: true }));

  describe('with development tokens', () => {
    it('should create one key for concurrent callers, in a file that only its owner can read', async () => {
      const keys = await Promise.all([1, 2, 3, 4].map(() => loadDevTokenKey(directory)));
      expect(new Set(keys.map((key) => key.id)).size).to.equal(1);
      expect((await stat(getDevTokenKeyPath(directory))).mode & 0o777).to.equal(0o600);
    });

    it('should return the subject, name, role and groups of a token', async () => {
      const authenticator = new Authenticator(
        parseConfiguration({ DevToken: { Enabled: true } }, directory),
        { now: currentTime },
        createEmptyEndedSessions(),
        PEOPLE_STORE,
      );
      const { token } = await mintDevToken({
        dataDirectory: directory,
        subject: 'ada',
        role: 'approver',
        name: 'Ada',
        groups: ['board'],
      });
      const principal = await authenticator.authenticate(`Bearer ${token}`);
      expect(principal).to.deep.include({ kind: 'user', role: 'approver', groups: ['board'] });
      expect(principal.actor).to.deep.equal({ type: 'user', id: 'ada', name: 'Ada', groups: ['board'] });
      expect(await authenticator.authenticate(`bearer ${token}`)).to.equal(principal);
    });

    it('should store no user names for a probe, but store them when the same caller signs in later', async () => {
      // given: an unavailable database
      const recordedIds: string[] = [];
      let isDatabaseDown = true;
      const peopleStore = {
        recordPerson: ({ id }: { readonly id: string }) => {
          recordedIds.push(id);
          return isDatabaseDown ? Promise.reject(new Error('The database is unavailable.')) : Promise.resolve();
        },
      };
      const authenticator = new Authenticator(
        parseConfiguration({ DevToken: { Enabled: true } }, directory),
        { now: currentTime },
        createEmptyEndedSessions(),
        peopleStore,
      );
      const { token } = await mintDevToken({ dataDirectory: directory, subject: 'ada', role: 'viewer' });
      const header = `Bearer ${token}`;

      // when
      for (let count = 0; count < 2; count += 1)
        expect((await authenticator.authenticateProbe(header)).actor.id).to.equal('ada');

      // then
      expect(recordedIds).to.deep.equal([]);
      expect(await rejectionCode(authenticator.authenticate(header))).to.equal('service_unavailable');
      isDatabaseDown = false;
      await authenticator.authenticate(header);
      await authenticator.authenticate(header);
      expect(recordedIds).to.deep.equal(['ada', 'ada']);
      expect(await rejectionCode(authenticator.authenticateProbe('Bearer a.b.c'))).to.equal('invalid_token');
    });

    it('should refuse a token while development tokens are disabled', async () => {
      const authenticator = new Authenticator(
        parseConfiguration({}, directory),
        { now: currentTime },
        createEmptyEndedSessions(),
        PEOPLE_STORE,
      );
      const { token } = await mintDevToken({ dataDirectory: directory, subject: 'ada', role: 'admin' });
      expect(await rejectionCode(authenticator.authenticate(`Bearer ${token}`))).to.equal('invalid_token');
    });

    it('should distinguish a missing token from an invalid token', async () => {
      const authenticator = new Authenticator(
        parseConfiguration({ DevToken: { Enabled: true } }, directory),
        { now: currentTime },
        createEmptyEndedSessions(),
        PEOPLE_STORE,
      );
      for (const header of [undefined, '', 'Basic abc'])
        expect(await rejectionCode(authenticator.authenticate(header))).to.equal('unauthenticated');
      for (const header of ['Bearer', 'Bearer ', 'Bearer a b', `Bearer ${'a'.repeat(20_000)}`, 'Bearer a.b.c']) {
        expect(await rejectionCode(authenticator.authenticate(header)), header.slice(0, 20)).to.equal('invalid_token');
      }
    });
  });

  describe('with an issuer', () => {
    let server: Server;
    let issuer: string;
    let key: CryptoKey;
    let documents: Record<string, unknown>;

    before(async () => {
      const pair = await generateKeyPair('RS256');
      key = pair.privateKey;
      const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
      server = createServer((request, response) => {
        const document = documents[request.url ?? ''];
        response
          .writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(document ?? {}));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm`;
      documents = {
        '/realm/.well-known/openid-configuration': {
          issuer,
          jwks_uri: `${issuer}/keys`,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
        },
        '/realm/keys': { keys: [jwk] },
      };
    });

    after(() => server.close());

    const createAuthenticator = (authOverrides: object = {}): Authenticator =>
      new Authenticator(
        parseConfiguration(
          { Issuer: issuer, Audience: 'countersign', RoleClaim: 'realm_access.roles', ...authOverrides },
          directory,
        ),
        { now: currentTime },
        createEmptyEndedSessions(),
        PEOPLE_STORE,
      );

    async function sign(
      payload: JWTPayload = {},
      signWith: CryptoKey | Uint8Array = key,
      alg = 'RS256',
      typ?: string,
    ): Promise<string> {
      const now = nowInSeconds();
      const claims = {
        iss: issuer,
        aud: 'countersign',
        sub: 'ada',
        iat: now,
        exp: now + 60,
        realm_access: { roles: ['viewer', 'approver', 'odd'] },
        groups: ['board'],
        ...payload,
      };
      return `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg, kid: 'one', ...(typ === undefined ? {} : { typ }) }).sign(signWith)}`;
    }

    it('should accept tokens of the issuer and read the highest role at a dotted claim path', async () => {
      const principal = await createAuthenticator().authenticate(await sign());
      expect(principal).to.deep.include({
        kind: 'user',
        role: 'approver',
        roles: ['viewer', 'approver'],
        groups: ['board'],
      });
      const principalWithoutRole = await createAuthenticator().authenticate(
        await sign({ realm_access: { roles: ['other'] } }),
      );
      expect(principalWithoutRole.role).to.equal(undefined);
    });

    it('should distinguish services and agents from people', async () => {
      const kinds: [JWTPayload, string][] = [
        [{ typ: 'service' }, 'service'],
        [{ typ: 'agent' }, 'agent'],
        [{ act: { sub: 'assistant' } }, 'agent'],
        [{ sub: 'robot', client_id: 'robot' }, 'service'],
        [{ azp: 'web-app' }, 'user'],
        [{ gty: 'client-credentials' }, 'service'],
        [{ idtyp: 'app' }, 'service'],
        [{ preferred_username: 'service-account-ci' }, 'service'],
      ];
      for (const [claims, kind] of kinds) {
        const principal = await createAuthenticator().authenticate(await sign(claims));
        expect([principal.kind, principal.actor.type], JSON.stringify(claims)).to.deep.equal([
          kind,
          kind === 'user' ? 'user' : 'service',
        ]);
      }
    });

    it('should refuse tokens that are expired, too old, or of another issuer, audience, key or type', async () => {
      const otherKeyPair = await generateKeyPair('RS256');
      const now = nowInSeconds();
      const { token: devToken } = await mintDevToken({ dataDirectory: directory, subject: 'ada', role: 'admin' });
      const refusedHeaders = [
        await sign({ aud: 'other' }),
        await sign({ iss: 'https://elsewhere.example' }),
        await sign({ exp: now - 60 }),
        await sign({ nbf: now + 60 }),
        await sign({ sub: '' }),
        await sign({ iat: undefined }),
        await sign({ iat: now + 60 }),
        await sign({ iat: now - 2 * 86_400 }),
        await sign({}, key, 'RS256', 'logout+jwt'),
        await sign({ typ: 'ID' }),
        await sign({ events: {} }),
        await sign({ cnf: { jkt: 'x' } }),
        await sign({}, otherKeyPair.privateKey),
        await sign({}, new TextEncoder().encode('a secret that is long enough for HS256'), 'HS256'),
        `Bearer ${devToken}`,
      ];
      for (const header of refusedHeaders)
        expect(await rejectionCode(createAuthenticator().authenticate(header)), header).to.equal('invalid_token');
      expect(
        await rejectionCode(createAuthenticator({ MaxTokenAge: 'PT1M' }).authenticate(await sign({ iat: now - 120 }))),
      ).to.equal('invalid_token');
      expect(
        await createAuthenticator({ MaxTokenAge: 'PT5M' }).authenticate(
          await sign({ iat: now - 120, exp: now + 3_600 }, key, 'RS256', 'at+jwt'),
        ),
        'the token expires at the maximum age, before its `exp`',
      ).to.include({ kind: 'user', expiresAt: (now - 120 + 300) * 1000 });
    });

    it('should respond with service_unavailable when the issuer is unreachable or names another issuer', async () => {
      expect(
        await rejectionCode(createAuthenticator({ Issuer: 'http://127.0.0.1:9/realm' }).authenticate(await sign())),
      ).to.equal('service_unavailable');
      documents['/other/.well-known/openid-configuration'] = documents['/realm/.well-known/openid-configuration'];
      expect(
        await rejectionCode(
          createAuthenticator({ Issuer: issuer.replace('realm', 'other') }).authenticate(await sign()),
        ),
      ).to.equal('service_unavailable');
    });
  });

  it('should refuse to start with an unsafe configuration', () => {
    const check =
      (Auth: object, environment: NodeJS.ProcessEnv = {}) =>
      (): void =>
        checkAuthConfiguration(parseConfiguration(Auth, directory), environment);
    expect(check({ DevToken: { Enabled: true } })).not.to.throw();
    expect(check({ DevToken: { Enabled: true } }, { NODE_ENV: 'production' })).to.throw('NODE_ENV');
    expect(check({ DevToken: { Enabled: true }, Issuer: 'https://id.example', Audience: 'a' })).to.throw('Auth:Issuer');
    expect(check({ Issuer: 'https://id.example' })).to.throw('Auth:Audience');
    expect(check({ Issuer: 'https://id.example', Audience: 'a' }, { NODE_ENV: 'production' })).not.to.throw();
  });
});
