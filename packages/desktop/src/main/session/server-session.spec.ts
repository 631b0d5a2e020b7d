import { ConnectionError, ProblemError, type FetchLike } from '@countersign/contract';
import { expect } from 'chai';
import * as oidc from 'openid-client';
import type { Log } from '../app/log.js';
import { Drafts } from '../drafts/drafts.js';
import { OfflineCache } from '../offline/offline-cache.js';
import { createKeychain, createTemporaryFile } from '../signing/signing.spec.support.js';
import { ServerSession } from './server-session.js';
import { ServerTokens, type Issuer } from './server-tokens.js';
import { TokenVault, type TokenSet } from './token-vault.js';

const SERVER = { serverId: '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e77', url: 'https://countersign.example', name: 'Work' };
const ME = { subject: 'ada', role: 'approver' } as const;
const LOG: Log = { info: () => undefined, warn: () => undefined, failure: () => undefined };

describe('ServerSession', () => {
  let files: ReturnType<typeof createTemporaryFile>;
  let tokens: ServerTokens;
  let session: ServerSession;
  /** The access tokens that the server accepts. */
  let acceptedTokens: string[];
  /** The issuer's results for token requests, one entry per request. */
  let issuerResults: (TokenSet | Error | Promise<TokenSet>)[];
  let renewals: number;
  let requests: string[];
  /** Promise that the server waits for before it responds. */
  let responseGate: Promise<void>;

  const createTokenSet = (name: string, expiresAt: number | null = null): TokenSet => ({
    kind: 'oidc',
    accessToken: name,
    refreshToken: `refresh token of ${name}`,
    receivedAt: 1,
    expiresAt,
  });
  const invalidGrantError = new oidc.ResponseBodyError('Refused.', {
    cause: { error: 'invalid_grant' },
    response: new Response(null, { status: 400 }),
  });

  const fetch: FetchLike = async (url, init) => {
    const { pathname } = new URL(url);
    if (pathname === '/api/auth/config') return Response.json({ mode: 'oidc', issuer: 'https://issuer.example' });
    const token = String(new Headers(init?.headers).get('authorization')).replace('Bearer ', '');
    // These tests do not need the change feed, so it never responds.
    if (pathname === '/api/events') return new Promise(() => undefined);
    requests.push(token);
    await responseGate;
    return acceptedTokens.includes(token) ? Response.json(ME) : Response.json({}, { status: 401 });
  };

  const createSession = (): ServerSession => {
    return new ServerSession({
      server: SERVER,
      fetch,
      tokens,
      log: LOG,
      cache: new OfflineCache(`${files.file}.cache`, createKeychain()),
      drafts: new Drafts(`${files.file}.drafts`, createKeychain(), LOG),
      development: false,
      createIssuer: () => fakeIssuer,
      onState: () => undefined,
      onChange: () => undefined,
    });
  };
  const fakeIssuer: Issuer = {
    signIn: () => Promise.resolve(createTokenSet('another')),
    renew: () => {
      renewals += 1;
      const next = issuerResults.shift() ?? new TypeError('No response.');
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    revoke: () => Promise.resolve(),
  };

  beforeEach(async () => {
    files = createTemporaryFile();
    [acceptedTokens, issuerResults, renewals, requests] = [['first'], [], 0, []];
    responseGate = Promise.resolve();
    tokens = new ServerTokens(SERVER.serverId, new TokenVault(files.file, createKeychain()), LOG);
    tokens.put(createTokenSet('first'));
    session = createSession();
    await session.start();
    expect(session.state).to.deep.include({ kind: 'signed-in', me: ME });
    requests = [];
  });

  afterEach(() => {
    session.close();
    files.remove();
  });

  it('should renew the token once and repeat the requests when the server refuses the token', async () => {
    acceptedTokens = ['second'];
    issuerResults = [createTokenSet('second')];
    expect(await Promise.all([session.client.getMe(), session.client.getMe()])).to.deep.equal([ME, ME]);
    expect(renewals).to.equal(1);
    expect(session.state.kind).to.equal('signed-in');
    expect(tokens.tokenSet).to.deep.equal(createTokenSet('second'));
  });

  it('should end without another renewal when the server refuses the renewed token', async () => {
    acceptedTokens = [];
    issuerResults = [createTokenSet('second'), createTokenSet('third')];
    const error = await session.client.getMe().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ProblemError).with.property('status', 401);
    expect(session.state).to.deep.include({ kind: 'signed-out', reason: 'ended' });
    expect(tokens.tokenSet).to.equal(undefined);
    expect(requests).to.deep.equal(['first', 'second']);
    expect(renewals).to.equal(1);
  });

  it('should end when the issuer refuses to renew the token', async () => {
    acceptedTokens = [];
    issuerResults = [invalidGrantError];
    await session.client.getMe().catch((thrown: unknown) => thrown);
    expect(session.state).to.deep.include({ kind: 'signed-out', reason: 'ended' });
    expect(tokens.tokenSet).to.equal(undefined);
  });

  it('should stay signed in if the token has expired and the issuer does not respond', async () => {
    // given
    tokens.put(createTokenSet('first', 2));
    acceptedTokens = ['second'];
    // when
    const error = await session.client.createToken({ body: ME }).catch((thrown: unknown) => thrown);
    // then
    expect(error).to.be.instanceOf(ConnectionError).with.property('peer', 'issuer');
    expect(session.state.kind).to.equal('signed-in');
    expect(requests, 'nothing is sent without a token').to.deep.equal([]);
    // when: the application is restarted
    session.close();
    session = createSession();
    await session.start();
    // then
    expect(session.state).to.deep.include({ kind: 'unreachable' });
    expect(tokens.tokenSet).to.deep.equal(createTokenSet('first', 2));
  });

  it('should not repeat a request of one sign-in with the token of the next sign-in', async () => {
    // given: a request with a slow response
    let respond: () => void = () => undefined;
    responseGate = new Promise((resolve) => (respond = resolve));
    const { client } = session;
    const slow = client.createToken({ body: ME }).catch((thrown: unknown) => thrown);
    await new Promise(setImmediate);
    // when: the session ends before the response, and a user signs in
    responseGate = Promise.resolve();
    acceptedTokens = ['another'];
    issuerResults = [invalidGrantError];
    await client.getMe().catch((thrown: unknown) => thrown);
    await session.signIn();
    expect(session.state.kind).to.equal('signed-in');
    respond();
    // then
    expect(await slow)
      .to.be.instanceOf(ProblemError)
      .with.property('status', 401);
    expect(requests).to.deep.equal(['first', 'first', 'another']);
    expect(session.state.kind).to.equal('signed-in');
    expect(await session.client.getMe()).to.deep.equal(ME);
  });

  it('should not send a request that waited for a renewal with the token of the next sign-in', async () => {
    // given
    tokens.put(createTokenSet('first', 2));
    let renew: (renewed: TokenSet) => void = () => undefined;
    issuerResults = [new Promise((resolve) => (renew = resolve))];
    const slow = session.client.createToken({ body: ME }).catch((thrown: unknown) => thrown);
    // when
    acceptedTokens = ['another'];
    await session.signIn();
    renew(createTokenSet('second'));
    // then
    expect(await slow)
      .to.be.instanceOf(ProblemError)
      .with.property('status', 401);
    expect(requests).to.deep.equal(['another', 'null']);
    expect(session.state.kind).to.equal('signed-in');
  });

  it('should not end the next session at the same server after it is closed', async () => {
    const closedSession = session;
    const nextSession = createSession();
    await nextSession.start();
    closedSession.close();
    acceptedTokens = [];
    issuerResults = [invalidGrantError];
    await closedSession.client.getMe().catch((thrown: unknown) => thrown);
    expect(tokens.tokenSet?.accessToken).to.equal('first');
    nextSession.close();
  });
});
