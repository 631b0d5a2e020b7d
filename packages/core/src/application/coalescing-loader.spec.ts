import { expect } from 'chai';
import { CoalescingLoader } from './coalescing-loader.js';

/** Loads that the spec settles. */
class Loads {
  readonly open: { resolve(value: number): void; reject(error: Error): void }[] = [];

  readonly load = (): Promise<number> => new Promise((resolve, reject) => this.open.push({ resolve, reject }));
}

describe('CoalescingLoader', () => {
  it('should make callers during a load share one later load instead of the load in progress', async () => {
    // given
    const loads = new Loads();
    const loader = new CoalescingLoader<number>();
    const first = loader.load('a', loads.load);
    const others = [1, 2, 3].map(() => loader.load('a', loads.load));
    expect(loads.open).to.have.length(1);

    // when
    loads.open[0]?.resolve(1);
    expect(await first).to.equal(1);
    await new Promise(setImmediate);
    expect(loads.open).to.have.length(2);
    loads.open[1]?.resolve(2);

    // then
    expect(await Promise.all(others)).to.deep.equal([2, 2, 2]);
    const later = loader.load('a', loads.load);
    expect(loads.open).to.have.length(3);
    loads.open[2]?.resolve(3);
    expect(await later).to.equal(3);
  });

  it('should load different keys concurrently and load again after a failure', async () => {
    const loads = new Loads();
    const loader = new CoalescingLoader<number>();
    const a = loader.load('a', loads.load);
    const b = loader.load('b', loads.load);
    const again = loader.load('a', loads.load);
    expect(loads.open).to.have.length(2);
    loads.open[0]?.reject(new Error('down'));
    loads.open[1]?.resolve(2);
    const failure = await a.catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'down');
    expect(await b).to.equal(2);
    await new Promise(setImmediate);
    loads.open[2]?.resolve(3);
    expect(await again).to.equal(3);
  });
});
