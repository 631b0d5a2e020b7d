import { expect } from 'chai';
import { CoalescingLoader } from './coalescing-loader.js';

/** Pending loads that the test resolves or rejects. */
class ControlledLoads {
  readonly pending: { resolve(value: number): void; reject(error: Error): void }[] = [];

  readonly load = (): Promise<number> => new Promise((resolve, reject) => this.pending.push({ resolve, reject }));
}

describe('CoalescingLoader', () => {
  it('should let all calls during a running load share one subsequent load', async () => {
    // given
    const loads = new ControlledLoads();
    const loader = new CoalescingLoader<number>();
    const firstLoad = loader.load('a', loads.load);
    const sharedLoads = [1, 2, 3].map(() => loader.load('a', loads.load));
    expect(loads.pending).to.have.length(1);

    // when
    loads.pending[0]?.resolve(1);
    expect(await firstLoad).to.equal(1);
    await new Promise(setImmediate);
    expect(loads.pending).to.have.length(2);
    loads.pending[1]?.resolve(2);

    // then
    expect(await Promise.all(sharedLoads)).to.deep.equal([2, 2, 2]);
    const nextLoad = loader.load('a', loads.load);
    expect(loads.pending).to.have.length(3);
    loads.pending[2]?.resolve(3);
    expect(await nextLoad).to.equal(3);
  });

  it('should load different keys concurrently and load again after a failure', async () => {
    const loads = new ControlledLoads();
    const loader = new CoalescingLoader<number>();
    const a = loader.load('a', loads.load);
    const b = loader.load('b', loads.load);
    const reloaded = loader.load('a', loads.load);
    expect(loads.pending).to.have.length(2);
    loads.pending[0]?.reject(new Error('down'));
    loads.pending[1]?.resolve(2);
    const failure = await a.catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'down');
    expect(await b).to.equal(2);
    await new Promise(setImmediate);
    loads.pending[2]?.resolve(3);
    expect(await reloaded).to.equal(3);
  });
});
