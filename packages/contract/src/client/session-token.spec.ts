import { expect } from 'chai';
import { ConnectionError } from './connection-error.js';
import { RenewalSchedule } from './renewal-schedule.js';
import { SessionToken, type HeldToken } from './session-token.js';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const DUE = START + 0.7 * HOUR;
const ENDED = START + HOUR;

describe('SessionToken', () => {
  let now: number;
  let held: HeldToken | undefined;
  /** Outcomes of the token requests to the issuer, one entry for each request. */
  let issuer: (HeldToken | 'refuses' | 'fails')[];
  let asked: (string | undefined)[];
  /** Resolves when the issuer may respond. */
  let response: Promise<void>;
  let session: SessionToken;

  const token = (accessToken: string, receivedAt = START): HeldToken => ({
    accessToken,
    receivedAt,
    expiresAt: receivedAt + HOUR,
    isRenewable: true,
  });

  beforeEach(() => {
    now = START;
    held = token('first');
    issuer = [];
    asked = [];
    response = Promise.resolve();
    session = new SessionToken(
      {
        held: () => held,
        renew: async (refused) => {
          asked.push(refused);
          const next = issuer.shift() ?? 'fails';
          await response;
          if (next === 'fails') throw new TypeError('No network.');
          if (next === 'refuses') return undefined;
          return (held = next);
        },
      },
      new RenewalSchedule(() => now),
    );
  });

  const failure = (refused?: string): Promise<unknown> =>
    session.get(refused).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('should return the current token without a renewal until it is due', async () => {
    expect(await session.get()).to.equal('first');
    expect(asked).to.deep.equal([]);
  });

  it('should return a token that is still valid without waiting for its renewal', async () => {
    // given
    now = DUE;
    issuer = [token('second', DUE)];
    let respond: () => void = () => undefined;
    response = new Promise((resolve) => (respond = resolve));
    // when
    const given = await Promise.all([session.get(), session.get(), session.get()]);
    // then
    expect(given).to.deep.equal(['first', 'first', 'first']);
    expect(asked).to.have.lengthOf(1);
    // when
    respond();
    await new Promise(setImmediate);
    // then
    expect(await session.get()).to.equal('second');
  });

  it('should renew an expired token only once for concurrent callers', async () => {
    now = ENDED;
    issuer = [token('second', ENDED)];
    expect(await Promise.all([session.get(), session.get()])).to.deep.equal(['second', 'second']);
    expect(asked).to.have.lengthOf(1);
  });

  it('should throw a ConnectionError while the issuer is unreachable and recover afterwards', async () => {
    // given
    now = ENDED;
    issuer = ['fails', token('second', ENDED)];
    // when
    const first = await failure();
    const second = await failure();
    // then
    expect(first).to.be.instanceOf(ConnectionError).with.property('peer', 'issuer');
    expect(second).to.be.instanceOf(ConnectionError).with.property('peer', 'issuer');
    expect(asked, 'left alone for a second').to.have.lengthOf(1);
    // when
    now += 1_000;
    // then
    expect(await session.get()).to.equal('second');
  });

  it('should end the session when the issuer refuses the renewal or the expired token is not renewable', async () => {
    now = ENDED;
    issuer = ['refuses'];
    expect(await session.get()).to.equal(undefined);
    held = { ...token('first'), isRenewable: false };
    expect(await session.get()).to.equal(undefined);
    expect(asked).to.have.lengthOf(1);
    now = DUE;
    expect(await session.get()).to.equal('first');
    held = undefined;
    expect(await session.get()).to.equal(undefined);
  });

  it('should replace a refused token only once for all callers', async () => {
    issuer = [token('second')];
    expect(await Promise.all([session.get('first'), session.get('first')])).to.deep.equal(['second', 'second']);
    expect(await session.get('first'), 'of a request that began before').to.equal('second');
    expect(asked).to.deep.equal(['first']);
  });

  it('should end the session when the server refuses the new token within a minute', async () => {
    issuer = [token('second'), token('third')];
    await session.get('first');
    now += 59_999;
    expect(await session.get('second')).to.equal(undefined);
    expect(asked).to.deep.equal(['first']);
    now += 1;
    expect(await session.get('second')).to.equal('third');
  });

  it('should keep the session when a token is refused while the issuer is unreachable', async () => {
    issuer = ['fails', token('second')];
    expect(await failure('first')).to.be.instanceOf(ConnectionError);
    expect(await session.get(), 'its time is not over').to.equal('first');
    now += 1_000;
    expect(await session.get('first')).to.equal('second');
  });

  it('should end the session when a refused token cannot be replaced by a different token', async () => {
    issuer = ['refuses', token('first')];
    expect(await session.get('first')).to.equal(undefined);
    expect(await session.get('first'), 'the same token again').to.equal(undefined);
    held = { ...token('first'), isRenewable: false };
    expect(await session.get('first')).to.equal(undefined);
    expect(asked).to.have.lengthOf(2);
  });
});
