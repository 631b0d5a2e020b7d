import type { RateCountsStore } from '@countersign/core';
import { expect } from 'chai';
import { RateLimits } from './rate-limit.js';

/** In-memory counters that replace those of the database. */
class Counters implements RateCountsStore {
  readonly counts = new Map<string, number>();
  isUnavailable = false;
  callCount = 0;

  addCounts(increments: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    this.callCount += 1;
    if (this.isUnavailable) return Promise.reject(new Error('The database is unavailable.'));
    for (const [key, count] of increments) this.counts.set(key, (this.counts.get(key) ?? 0) + count);
    return Promise.resolve(new Map([...increments.keys()].map((key) => [key, this.counts.get(key) ?? 0])));
  }
}

describe('rate limits shared by several servers', () => {
  let counters: Counters;
  let servers: readonly RateLimits[];
  const warnings: unknown[] = [];
  const log = { info: () => undefined, warn: (fields: object) => void warnings.push(fields) };
  const clock = { time: 0, now: () => clock.time };

  beforeEach(() => {
    counters = new Counters();
    warnings.length = 0;
    clock.time = 1_000_000;
    servers = [1, 2].map(() => new RateLimits(100, counters, clock, log));
  });

  afterEach(() => {
    for (const server of servers) server.stop();
  });

  const [getFirstServer, getSecondServer] = [() => servers[0] as RateLimits, () => servers[1] as RateLimits];
  const sendRequest = (server: RateLimits, id = 'ada'): Promise<boolean> =>
    server.countPrincipal('user', id).then(
      () => true,
      () => false,
    );
  /**
   * Sends requests, with regular exchanges, until both servers refuse them. Returns the number of accepted requests per
   * server.
   */
  const requestUntilRefused = async (): Promise<number[]> => {
    const accepted = [0, 0];
    for (let iteration = 0; iteration < 100; iteration += 1) {
      const results = await Promise.all(servers.map((server) => sendRequest(server)));
      results.forEach((ok, index) => (accepted[index] = (accepted[index] ?? 0) + (ok ? 1 : 0)));
      if (results.every((ok) => !ok)) return accepted;
      if (iteration % 5 === 4) for (const server of servers) await server.exchange();
    }
    return accepted;
  };

  it('should apply to all servers together, except for requests between two exchanges', async () => {
    const [first = 0, second = 0] = await requestUntilRefused();
    expect(first + second).to.be.within(100, 125);
    expect(await sendRequest(getSecondServer(), 'bea')).to.equal(true);
  });

  it('should not query the database for callers far below the limit', async () => {
    for (let count = 0; count < 4; count += 1) expect(await sendRequest(getFirstServer())).to.equal(true);
    await getFirstServer().exchange();
    expect(counters.callCount).to.equal(0);
  });

  it('should apply to a caller who reaches the limit on one server and then uses another', async () => {
    // given
    for (let count = 0; count < 10; count += 1) await sendRequest(getSecondServer());
    await getSecondServer().exchange();
    for (let count = 0; count < 100; count += 1) await sendRequest(getFirstServer());
    await getFirstServer().exchange();
    await getSecondServer().exchange();

    // when: the other server counts its first request after a while
    expect(await sendRequest(getSecondServer())).to.equal(true);
    await getSecondServer().exchange();

    // then
    expect(await sendRequest(getSecondServer())).to.equal(false);
  });

  it('should include requests that another server counted just before the minute ended', async () => {
    // given
    clock.time = 1_019_999;
    for (const server of servers) {
      for (let count = 0; count < 10; count += 1) await sendRequest(server);
      await server.exchange();
    }
    for (let count = 0; count < 90; count += 1) await sendRequest(getFirstServer());
    await getFirstServer().exchange();

    // when
    clock.time = 1_020_000;
    await getSecondServer().exchange();

    // then
    for (let count = 0; count < 10; count += 1) await sendRequest(getSecondServer());
    expect(await sendRequest(getSecondServer())).to.equal(false);
  });

  for (const [description, delayMs] of [
    ['even if this server has already counted a request in the next minute', 0],
    ['even if they are reported after the minute has ended', 50],
  ] as const)
    it(`should include requests that another server counted just before the minute ended, ${description}`, async () => {
      // given
      clock.time = 1_019_999;
      for (const server of servers) {
        for (let count = 0; count < 10; count += 1) await sendRequest(server);
        await server.exchange();
      }
      for (let count = 0; count < 90; count += 1) await sendRequest(getFirstServer());
      if (delayMs === 0) await getFirstServer().exchange();

      // when
      clock.time = 1_020_000 + delayMs;
      await sendRequest(getSecondServer());
      await getSecondServer().exchange();
      if (delayMs > 0) {
        clock.time = 1_019_999;
        await getFirstServer().exchange();
        clock.time = 1_020_000 + 2 * delayMs;
        await getSecondServer().exchange();
      }

      // then
      for (let count = 0; count < 9; count += 1) await sendRequest(getSecondServer());
      expect(await sendRequest(getSecondServer())).to.equal(false);
    });

  it('should ignore requests that another server counted a minute ago', async () => {
    // given
    for (let count = 0; count < 100; count += 1) await sendRequest(getFirstServer());
    await getFirstServer().exchange();

    // when
    clock.time += 60_000;
    for (let count = 0; count < 10; count += 1) await sendRequest(getSecondServer());
    await getSecondServer().exchange();

    // then
    expect(await sendRequest(getSecondServer())).to.equal(true);
  });

  it('should not count requests twice that a server counted before its clock was set back', async () => {
    // given
    clock.time = 1_020_000;
    for (let count = 0; count < 60; count += 1) await sendRequest(getFirstServer());
    await getFirstServer().exchange();

    // when
    clock.time -= 1;
    await sendRequest(getFirstServer());
    await getFirstServer().exchange();
    clock.time += 1;
    await sendRequest(getFirstServer());
    await getFirstServer().exchange();

    // then
    expect(await sendRequest(getFirstServer())).to.equal(true);
  });

  it('should apply per server while the database is unavailable, with one warning per server', async () => {
    counters.isUnavailable = true;
    const accepted = await requestUntilRefused();
    expect(accepted).to.deep.equal([100, 100]);
    expect(warnings).to.have.length(2);
    counters.isUnavailable = false;
    await getFirstServer().exchange();
  });

  it('should also apply to failed sign-ins of a network, without storing addresses', async () => {
    const failSignIn = (server: RateLimits): Promise<boolean> =>
      server.countFailure('2001:db8::1').then(
        () => true,
        () => false,
      );
    servers = [1, 2].map(() => new RateLimits(8_000, counters, clock, log));
    let accepted = 0;
    for (let iteration = 0; iteration < 100; iteration += 1) {
      const results = await Promise.all(servers.map(failSignIn));
      accepted += results.filter(Boolean).length;
      for (const server of servers) await server.exchange();
    }
    expect(accepted).to.be.within(40, 50);
    expect([...counters.counts.keys()].join()).to.not.contain('2001');
  });
});
