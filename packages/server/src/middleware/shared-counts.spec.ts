import type { RateCountsStore } from '@countersign/core';
import { expect } from 'chai';
import { RateLimits } from './rate-limit.js';

/** Counters as in the database. `away`: the database does not respond. */
class Counters implements RateCountsStore {
  readonly counts = new Map<string, number>();
  away = false;
  asked = 0;

  addCounts(more: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    this.asked += 1;
    if (this.away) return Promise.reject(new Error('The database is away.'));
    for (const [key, count] of more) this.counts.set(key, (this.counts.get(key) ?? 0) + count);
    return Promise.resolve(new Map([...more.keys()].map((key) => [key, this.counts.get(key) ?? 0])));
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

  const [one, two] = [() => servers[0] as RateLimits, () => servers[1] as RateLimits];
  const request = (server: RateLimits, id = 'ada'): Promise<boolean> =>
    server.countPrincipal('user', id).then(
      () => true,
      () => false,
    );
  /** Sends requests, with regular exchanges, until both servers refuse. @returns the accepted requests per server */
  const untilRefused = async (): Promise<number[]> => {
    const answered = [0, 0];
    for (let round = 0; round < 100; round += 1) {
      const results = await Promise.all(servers.map((server) => request(server)));
      results.forEach((ok, index) => (answered[index] = (answered[index] ?? 0) + (ok ? 1 : 0)));
      if (results.every((ok) => !ok)) return answered;
      if (round % 5 === 4) for (const server of servers) await server.exchange();
    }
    return answered;
  };

  it('should apply to all servers together, except for requests between two exchanges', async () => {
    const [first = 0, second = 0] = await untilRefused();
    expect(first + second).to.be.within(100, 125);
    expect(await request(two(), 'bea')).to.equal(true);
  });

  it('should not query the database for callers far below the limit', async () => {
    for (let count = 0; count < 4; count += 1) expect(await request(one())).to.equal(true);
    await one().exchange();
    expect(counters.asked).to.equal(0);
  });

  it('should apply to a caller who reaches the limit on one server and then uses another', async () => {
    // given
    for (let count = 0; count < 10; count += 1) await request(two());
    await two().exchange();
    for (let count = 0; count < 100; count += 1) await request(one());
    await one().exchange();
    await two().exchange();

    // when: the other server counts its first request after a while
    expect(await request(two())).to.equal(true);
    await two().exchange();

    // then
    expect(await request(two())).to.equal(false);
  });

  it('should include requests that another server counted just before the minute ended', async () => {
    // given
    clock.time = 1_019_999;
    for (const server of servers) {
      for (let count = 0; count < 10; count += 1) await request(server);
      await server.exchange();
    }
    for (let count = 0; count < 90; count += 1) await request(one());
    await one().exchange();

    // when
    clock.time = 1_020_000;
    await two().exchange();

    // then
    for (let count = 0; count < 10; count += 1) await request(two());
    expect(await request(two())).to.equal(false);
  });

  for (const [when, wait] of [
    ['even if this server has already counted a request in the next minute', 0],
    ['even if they are reported after the minute has ended', 50],
  ] as const)
    it(`should include requests that another server counted just before the minute ended, ${when}`, async () => {
      // given
      clock.time = 1_019_999;
      for (const server of servers) {
        for (let count = 0; count < 10; count += 1) await request(server);
        await server.exchange();
      }
      for (let count = 0; count < 90; count += 1) await request(one());
      if (wait === 0) await one().exchange();

      // when
      clock.time = 1_020_000 + wait;
      await request(two());
      await two().exchange();
      if (wait > 0) {
        clock.time = 1_019_999;
        await one().exchange();
        clock.time = 1_020_000 + 2 * wait;
        await two().exchange();
      }

      // then
      for (let count = 0; count < 9; count += 1) await request(two());
      expect(await request(two())).to.equal(false);
    });

  it('should ignore requests that another server counted a minute ago', async () => {
    // given
    for (let count = 0; count < 100; count += 1) await request(one());
    await one().exchange();

    // when
    clock.time += 60_000;
    for (let count = 0; count < 10; count += 1) await request(two());
    await two().exchange();

    // then
    expect(await request(two())).to.equal(true);
  });

  it('should not count requests twice that a server counted before its clock was set back', async () => {
    // given
    clock.time = 1_020_000;
    for (let count = 0; count < 60; count += 1) await request(one());
    await one().exchange();

    // when
    clock.time -= 1;
    await request(one());
    await one().exchange();
    clock.time += 1;
    await request(one());
    await one().exchange();

    // then
    expect(await request(one())).to.equal(true);
  });

  it('should apply per server while the database is unavailable, with one warning each', async () => {
    counters.away = true;
    const answered = await untilRefused();
    expect(answered).to.deep.equal([100, 100]);
    expect(warnings).to.have.length(2);
    counters.away = false;
    await one().exchange();
  });

  it('should also apply to failed sign-ins of a network, without storing addresses', async () => {
    const fail = (server: RateLimits): Promise<boolean> =>
      server.countFailure('2001:db8::1').then(
        () => true,
        () => false,
      );
    servers = [1, 2].map(() => new RateLimits(8_000, counters, clock, log));
    let answered = 0;
    for (let round = 0; round < 100; round += 1) {
      const results = await Promise.all(servers.map(fail));
      answered += results.filter(Boolean).length;
      for (const server of servers) await server.exchange();
    }
    expect(answered).to.be.within(40, 50);
    expect([...counters.counts.keys()].join()).to.not.contain('2001');
  });
});
