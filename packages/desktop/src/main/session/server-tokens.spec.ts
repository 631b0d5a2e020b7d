import { ConnectionError } from '@countersign/contract';
import { expect } from 'chai';
import * as oidc from 'openid-client';
import type { Log } from '../app/log.js';
import { keychain, temporary } from '../signing/signing.spec.support.js';
import { ServerTokens, type Issuer } from './server-tokens.js';
import { TokenVault, type Grant } from './token-vault.js';

const SERVER = '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e77';

describe('ServerTokens', () => {
  let files: ReturnType<typeof temporary>;
  let vault: TokenVault;
  let tokens: ServerTokens;
  let issuer: Issuer;
  let asked: (string | null)[];
  let revoked: (string | null)[];
  let logged: string[];
  let answer: { give(grant: Grant): void; fail(error: unknown): void };

  const ended = (refreshToken: string | null): Grant => ({
    kind: 'oidc',
    accessToken: `access of ${refreshToken}`,
    refreshToken,
    receivedAt: 1,
    expiresAt: 2,
  });
  const lasting = (refreshToken: string): Grant => ({ ...ended(refreshToken), expiresAt: null });

  beforeEach(() => {
    files = temporary();
    [asked, revoked, logged] = [[], [], []];
    vault = new TokenVault(files.file, keychain());
    issuer = {
      signIn: () => Promise.reject(new Error('Not here.')),
      renew: ({ refreshToken }) => {
        asked.push(refreshToken);
        return new Promise((give, fail) => (answer = { give, fail }));
      },
      revoke: ({ refreshToken }) => Promise.resolve(void revoked.push(refreshToken)),
    };
    start();
    tokens.put(ended('a'));
  });

  const start = (): void => {
    const log: Log = { info: () => undefined, warn: () => undefined, failure: (event) => logged.push(event) };
    tokens = new ServerTokens(SERVER, vault, log);
    tokens.issuer = issuer;
  };

  afterEach(() => files.remove());

  const refusal = (error: string): unknown =>
    new oidc.ResponseBodyError('Refused.', { cause: { error }, response: new Response(null, { status: 400 }) });

  it('should renew once for concurrent callers and store the new tokens', async () => {
    const both = Promise.all([tokens.get(), tokens.get()]);
    answer.give(lasting('b'));
    expect(await both).to.deep.equal(['access of b', 'access of b']);
    expect(asked).to.deep.equal(['a']);
    expect(new TokenVault(files.file, keychain()).get(SERVER)).to.deep.equal(lasting('b'));
  });

  it('should expose the renewal until it is complete', async () => {
    expect(tokens.renewal).to.equal(undefined);
    const asking = tokens.get();
    const { renewal } = tokens;
    answer.give(lasting('b'));
    await renewal;
    expect(tokens.grant?.refreshToken).to.equal('b');
    await asking;
    expect(tokens.renewal).to.equal(undefined);
  });

  it('should revoke tokens that arrive after the sign-out', async () => {
    const asking = tokens.get();
    tokens.forget();
    answer.give(lasting('b'));
    expect(await asking).to.equal(undefined);
    expect(tokens.grant).to.equal(undefined);
    expect(revoked).to.deep.equal(['b']);
  });

  it('should keep the tokens of a new sign-in when the renewal of the old tokens succeeds or fails', async () => {
    for (const end of [() => answer.give(lasting('b')), () => answer.fail(refusal('invalid_grant'))]) {
      tokens.put(ended('a'));
      const asking = tokens.get();
      tokens.put(lasting('new'));
      end();
      await asking;
      expect(tokens.grant).to.deep.equal(lasting('new'));
    }
    expect(revoked).to.deep.equal([]);
  });

  it('should not use a refresh token again after the issuer refused it', async () => {
    for (const error of ['invalid_grant', 'interaction_required', 'anything']) {
      asked = [];
      tokens.put(ended('a'));
      const asking = tokens.get();
      answer.fail(refusal(error));
      expect(await asking, error).to.equal(undefined);
      expect(await tokens.get(), error).to.equal(undefined);
      expect(asked, error).to.deep.equal(['a']);
    }
  });

  it('should keep the tokens when the issuer is temporarily unavailable', async () => {
    for (const failure of [
      new TypeError('No response from the server.'),
      refusal('temporarily_unavailable'),
      Object.assign(new oidc.ClientError('operation timed out'), { code: 'OAUTH_TIMEOUT' }),
      new oidc.ClientError('unexpected response content-type', { cause: new Response(null, { status: 502 }) }),
    ]) {
      start();
      const asking = tokens.get().catch((error: unknown) => error);
      answer.fail(failure);
      expect(await asking).to.be.instanceOf(ConnectionError);
      expect(tokens.grant?.refreshToken).to.equal('a');
    }
    expect(logged).to.deep.equal(Array(4).fill('session.not_renewed'));
  });
});
