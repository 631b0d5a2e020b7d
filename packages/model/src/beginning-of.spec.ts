import { expect } from 'chai';
import { beginningOf } from './beginning-of.js';

describe('beginningOf()', () => {
  it('should return a short string unchanged and the beginning of a long one', () => {
    expect(beginningOf('', 3)).to.equal('');
    expect(beginningOf('abc', 3)).to.equal('abc');
    expect(beginningOf('abcd', 3)).to.equal('abc…');
  });

  it('should not split a character', () => {
    expect(beginningOf('ab😀', 4)).to.equal('ab😀');
    expect(beginningOf('ab😀c', 4)).to.equal('ab😀…');
    expect(beginningOf('ab😀c', 3)).to.equal('ab…');
    for (let length = 0; length < 200; length += 1)
      expect(beginningOf('😀'.repeat(100), length).isWellFormed(), String(length)).to.equal(true);
  });
});
