import { ConnectionError } from '@countersign/contract';
import { expect } from 'chai';
import * as oidc from 'openid-client';
import type { Log } from '../app/log.js';
import { createKeychain, createTemporaryFile } from '../signing/signing.spec.support.js';
import { ServerTokens, type Issuer } from './server-tokens.js';
import { TokenVault, type TokenSet } from './token-vault.js';

const SERVER = '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e77';

describe('ServerTokens', () => {
  let files: ReturnType<typeof createTemporaryFile>;
  let vault: TokenVault;
  let tokens: ServerTokens;
  let issuer: Issuer;
  let sentRefreshTokens: (string | null)[];
  let revokedTokens: (string | null)[];
  let loggedEvents: string[];
  let pendingRenewal: { resolve(tokenSet: TokenSet): void; reject(error: unknown): void };

  const createExpiredTokenSet = (refreshToken: string | null): TokenSet => ({
    kind: 'oidc',
    accessToken: `access token of ${refreshToken}`,
    refreshToken,
    receivedAt: 1,
    expiresAt: 2,
  });
  const createLastingTokenSet = (refreshToken: string): TokenSet => ({
    ...createExpiredTokenSet(refreshToken),
    expiresAt: null,
  });

  beforeEach(() => {
    files = createTemporaryFile();
    [sentRefreshTokens, revokedTokens, loggedEvents] = [[], [], []];
    vault = new TokenVault(files.file, createKeychain());
    issuer = {
      signIn: () => Promise.reject(new Error('signIn() must not be called.')),
      renew: ({ refreshToken }) => {
        sentRefreshTokens.push(refreshToken);
        return new Promise((resolve, reject) => (pendingRenewal = { resolve, reject }));
      },
      revoke: ({ refreshToken }) => Promise.resolve(void revokedTokens.push(refreshToken)),
    };
    createTokens();
    tokens.put(createExpiredTokenSet('a'));
  });

  const createTokens = (): void => {
    const log: Log = { info: () => undefined, warn: () => undefined, failure: (event) => loggedEvents.push(event) };
    tokens = new ServerTokens(SERVER, vault, log);
    tokens.issuer = issuer;
  };

  afterEach(() => files.remove());

  const createRefusal = (error: string): unknown =>
    new oidc.ResponseBodyError('Refused.', { cause: { error }, response: new Response(null, { status: 400 }) });

  it('should renew once for concurrent callers and store the new tokens', async () => {
    const bothTokens = Promise.all([tokens.get(), tokens.get()]);
    pendingRenewal.resolve(createLastingTokenSet('b'));
    expect(await bothTokens).to.deep.equal(['access token of b', 'access token of b']);
    expect(sentRefreshTokens).to.deep.equal(['a']);
    expect(new TokenVault(files.file, createKeychain()).get(SERVER)).to.deep.equal(createLastingTokenSet('b'));
  });

  it('should expose the renewal until it is complete', async () => {
    expect(tokens.renewal).to.equal(undefined);
    const pendingToken = tokens.get();
    const { renewal } = tokens;
    pendingRenewal.resolve(createLastingTokenSet('b'));
    await renewal;
    expect(tokens.tokenSet?.refreshToken).to.equal('b');
    await pendingToken;
    expect(tokens.renewal).to.equal(undefined);
  });

  it('should revoke tokens that arrive after the sign-out', async () => {
    const pendingToken = tokens.get();
    tokens.forget();
    pendingRenewal.resolve(createLastingTokenSet('b'));
    expect(await pendingToken).to.equal(undefined);
    expect(tokens.tokenSet).to.equal(undefined);
    expect(revokedTokens).to.deep.equal(['b']);
  });

  it('should keep the tokens of a new sign-in when the renewal of the old tokens succeeds or fails', async () => {
    for (const endRenewal of [
      () => pendingRenewal.resolve(createLastingTokenSet('b')),
      () => pendingRenewal.reject(createRefusal('invalid_grant')),
    ]) {
      tokens.put(createExpiredTokenSet('a'));
      const pendingToken = tokens.get();
      tokens.put(createLastingTokenSet('new'));
      endRenewal();
      await pendingToken;
      expect(tokens.tokenSet).to.deep.equal(createLastingTokenSet('new'));
    }
    expect(revokedTokens).to.deep.equal([]);
  });

  it('should not use a refresh token again after the issuer refused it', async () => {
    for (const error of ['invalid_grant', 'interaction_required', 'other_error']) {
      sentRefreshTokens = [];
      tokens.put(createExpiredTokenSet('a'));
      const pendingToken = tokens.get();
      pendingRenewal.reject(createRefusal(error));
      expect(await pendingToken, error).to.equal(undefined);
      expect(await tokens.get(), error).to.equal(undefined);
      expect(sentRefreshTokens, error).to.deep.equal(['a']);
    }
  });

  it('should keep the tokens when the issuer is temporarily unavailable', async () => {
    for (const failure of [
      new TypeError('No response from the server.'),
      createRefusal('temporarily_unavailable'),
      Object.assign(new oidc.ClientError('operation timed out'), { code: 'OAUTH_TIMEOUT' }),
      new oidc.ClientError('unexpected response content-type', { cause: new Response(null, { status: 502 }) }),
    ]) {
      createTokens();
      const pendingToken = tokens.get().catch((error: unknown) => error);
      pendingRenewal.reject(failure);
      expect(await pendingToken).to.be.instanceOf(ConnectionError);
      expect(tokens.tokenSet?.refreshToken).to.equal('a');
    }
    expect(loggedEvents).to.deep.equal(Array(4).fill('session.not_renewed'));
  });
});
