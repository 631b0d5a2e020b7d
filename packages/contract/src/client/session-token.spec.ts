import { expect } from 'chai';
import { ConnectionError } from './connection-error.js';
import { RenewalSchedule } from './renewal-schedule.js';
import { SessionToken, type StoredToken } from './session-token.js';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const RENEWAL_DUE = START + 0.7 * HOUR;
const TOKEN_EXPIRED = START + HOUR;

describe('SessionToken', () => {
  let now: number;
  let storedToken: StoredToken | undefined;
  /** Results of the renewal requests to the issuer, one for each request. */
  let issuerResults: (StoredToken | 'refuses' | 'fails')[];
  /** The refused token of each renewal request; `undefined` if no token was refused. */
  let refusedTokens: (string | undefined)[];
  /** Resolves when the issuer responds. */
  let response: Promise<void>;
  let session: SessionToken;

  const createToken = (accessToken: string, receivedAt = START): StoredToken => ({
    accessToken,
    receivedAt,
    expiresAt: receivedAt + HOUR,
    isRenewable: true,
  });

  beforeEach(() => {
    now = START;
    storedToken = createToken('first');
    issuerResults = [];
    refusedTokens = [];
    response = Promise.resolve();
    session = new SessionToken(
      {
        read: () => storedToken,
        renew: async (refused) => {
          refusedTokens.push(refused);
          const next = issuerResults.shift() ?? 'fails';
          await response;
          if (next === 'fails') throw new TypeError('No network.');
          if (next === 'refuses') return undefined;
          return (storedToken = next);
        },
      },
      new RenewalSchedule(() => now),
    );
  });

  const catchError = (refused?: string): Promise<unknown> =>
    session.get(refused).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('should return the current token without renewing it before the renewal is due', async () => {
    expect(await session.get()).to.equal('first');
    expect(refusedTokens).to.deep.equal([]);
  });

  it('should return a token that is still valid without waiting for its renewal', async () => {
    // given
    now = RENEWAL_DUE;
    issuerResults = [createToken('second', RENEWAL_DUE)];
    let sendResponse: () => void = () => undefined;
    response = new Promise((resolve) => (sendResponse = resolve));
    // when
    const receivedTokens = await Promise.all([session.get(), session.get(), session.get()]);
    // then
    expect(receivedTokens).to.deep.equal(['first', 'first', 'first']);
    expect(refusedTokens).to.have.lengthOf(1);
    // when
    sendResponse();
    await new Promise(setImmediate);
    // then
    expect(await session.get()).to.equal('second');
  });

  it('should renew an expired token only once for concurrent callers', async () => {
    now = TOKEN_EXPIRED;
    issuerResults = [createToken('second', TOKEN_EXPIRED)];
    expect(await Promise.all([session.get(), session.get()])).to.deep.equal(['second', 'second']);
    expect(refusedTokens).to.have.lengthOf(1);
  });

  it('should throw a ConnectionError while the issuer is unreachable and recover afterwards', async () => {
    // given
    now = TOKEN_EXPIRED;
    issuerResults = ['fails', createToken('second', TOKEN_EXPIRED)];
    // when
    const first = await catchError();
    const second = await catchError();
    // then
    expect(first).to.be.instanceOf(ConnectionError).with.property('peer', 'issuer');
    expect(second).to.be.instanceOf(ConnectionError).with.property('peer', 'issuer');
    expect(refusedTokens, 'no renewal within a second after a failure').to.have.lengthOf(1);
    // when
    now += 1_000;
    // then
    expect(await session.get()).to.equal('second');
  });

  it('should end the session when the issuer refuses the renewal or the expired token is not renewable', async () => {
    now = TOKEN_EXPIRED;
    issuerResults = ['refuses'];
    expect(await session.get()).to.equal(undefined);
    storedToken = { ...createToken('first'), isRenewable: false };
    expect(await session.get()).to.equal(undefined);
    expect(refusedTokens).to.have.lengthOf(1);
    now = RENEWAL_DUE;
    expect(await session.get()).to.equal('first');
    storedToken = undefined;
    expect(await session.get()).to.equal(undefined);
  });

  it('should replace a refused token only once for all callers', async () => {
    issuerResults = [createToken('second')];
    expect(await Promise.all([session.get('first'), session.get('first')])).to.deep.equal(['second', 'second']);
    expect(await session.get('first'), 'for a request that was sent with the old token').to.equal('second');
    expect(refusedTokens).to.deep.equal(['first']);
  });

  it('should end the session when the server refuses the new token within a minute', async () => {
    issuerResults = [createToken('second'), createToken('third')];
    await session.get('first');
    now += 59_999;
    expect(await session.get('second')).to.equal(undefined);
    expect(refusedTokens).to.deep.equal(['first']);
    now += 1;
    expect(await session.get('second')).to.equal('third');
  });

  it('should keep the session when a token is refused while the issuer is unreachable', async () => {
    issuerResults = ['fails', createToken('second')];
    expect(await catchError('first')).to.be.instanceOf(ConnectionError);
    expect(await session.get(), 'the token has not expired').to.equal('first');
    now += 1_000;
    expect(await session.get('first')).to.equal('second');
  });

  it('should end the session when a refused token cannot be replaced by a different token', async () => {
    issuerResults = ['refuses', createToken('first')];
    expect(await session.get('first')).to.equal(undefined);
    expect(await session.get('first'), 'the issuer returns the refused token').to.equal(undefined);
    storedToken = { ...createToken('first'), isRenewable: false };
    expect(await session.get('first')).to.equal(undefined);
    expect(refusedTokens).to.have.lengthOf(2);
  });
});
