import { expect } from 'chai';
import { KeyedCounter } from './keyed-counter.js';

describe('KeyedCounter', () => {
  it('should count by key', () => {
    const counts = new KeyedCounter();
    for (const key of ['a', 'b', 'a', 'c']) counts.increment(key);
    counts.decrement('c');
    expect(['a', 'b', 'c'].map((key) => counts.get(key))).to.deep.equal([2, 1, 0]);
    expect([counts.keysWithAtLeast(1), counts.keysWithAtLeast(2), counts.keysWithAtLeast(3)]).to.deep.equal([
      ['a', 'b'],
      ['a'],
      [],
    ]);
    counts.decrement('c');
    expect(counts.get('c')).to.equal(0);
  });
});
