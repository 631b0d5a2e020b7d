import { expect } from 'chai';
import { SharedLoads } from './shared-loads.js';

/** Loads that the test settles. */
class Loads {
  readonly started: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  readonly start = (): Promise<string> => new Promise((resolve, reject) => this.started.push({ resolve, reject }));
}

describe('SharedLoads', () => {
  let shared: SharedLoads<string>;
  let loads: Loads;
  let loadedValues: string[];
  const share = (key = 'key'): Promise<string> => shared.share(key, loads.start, (loaded) => loadedValues.push(loaded));

  beforeEach(() => {
    shared = new SharedLoads();
    loads = new Loads();
    loadedValues = [];
  });

  it('should share one load among concurrent callers, and load again later', async () => {
    // given
    const results = [share(), share(), share('other')];
    expect(loads.started).to.have.length(2);

    // when
    loads.started[0]?.resolve('one');
    loads.started[1]?.resolve('other');

    // then
    expect(await Promise.all(results)).to.deep.equal(['one', 'one', 'other']);
    expect(loadedValues).to.deep.equal(['one', 'other']);
    void share();
    expect(loads.started).to.have.length(3);
  });

  it('should start one new load for all callers that waited for a failed load', async () => {
    // given
    const [first, ...others] = [share(), share(), share()];
    const failed = first?.catch((error: Error) => error.message);

    // when
    loads.started[0]?.reject(new Error('unavailable'));

    // then
    expect(await failed).to.equal('unavailable');
    expect(loads.started).to.have.length(2);
    loads.started[1]?.resolve('loaded');
    expect(await Promise.all(others)).to.deep.equal(['loaded', 'loaded']);
  });

  it('should neither keep nor share a value that was forgotten during the load', async () => {
    for (const forget of [() => shared.forget('key'), () => shared.forgetAll()]) {
      // given
      loads = new Loads();
      loadedValues = [];
      const before = share();
      forget();
      const after = share();
      expect(loads.started).to.have.length(2);

      // when
      loads.started[1]?.resolve('new');
      expect(await after).to.equal('new');
      loads.started[0]?.resolve('old');

      // then
      expect(await before).to.equal('old');
      expect(loadedValues).to.deep.equal(['new']);
    }
  });
});
