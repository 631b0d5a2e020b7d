import { expect } from 'chai';

type Timings = Readonly<Record<string, number>>;
interface TimingsModule {
  sortByDuration(specs: readonly string[], timings: Timings): string[];
  updateTimings(recorded: Timings, measured: Timings, specs: readonly string[]): Timings;
}

describe('timings of the spec files', () => {
  let timings: TimingsModule;

  before(async () => {
    timings = (await import(new URL('../../../scripts/mocha/timings.mjs', import.meta.url).href)) as TimingsModule;
  });

  it('should sort unknown files first and the others by duration, longest first', () => {
    expect(timings.sortByDuration(['a', 'b', 'c', 'd'], { a: 1, b: 3, d: 3 })).to.deep.equal(['c', 'b', 'd', 'a']);
  });

  it('should record new files and notable changes of duration', () => {
    // given
    const recorded = { steady: 10, slower: 10, quicker: 10, short: 0.1, unseen: 4 };
    const measured = { steady: 13, slower: 16, quicker: 6, short: 0.9, new: 2.345 };

    // then
    expect(timings.updateTimings(recorded, measured, [...Object.keys(recorded), 'new'])).to.deep.equal({
      steady: 10,
      slower: 16,
      quicker: 6,
      short: 0.1,
      unseen: 4,
      new: 2.3,
    });
  });

  it('should forget deleted files', () => {
    expect(timings.updateTimings({ gone: 1, here: 2 }, {}, ['here'])).to.deep.equal({ here: 2 });
  });
});
