import { expect } from 'chai';
import { truncateText } from './truncate-text.js';

describe('truncateText()', () => {
  it('should return a short string unchanged and the beginning of a long one', () => {
    expect(truncateText('', 3)).to.equal('');
    expect(truncateText('abc', 3)).to.equal('abc');
    expect(truncateText('abcd', 3)).to.equal('abc…');
  });

  it('should not split a character', () => {
    expect(truncateText('ab😀', 4)).to.equal('ab😀');
    expect(truncateText('ab😀c', 4)).to.equal('ab😀…');
    expect(truncateText('ab😀c', 3)).to.equal('ab…');
    for (let length = 0; length < 200; length += 1)
      expect(truncateText('😀'.repeat(100), length).isWellFormed(), String(length)).to.equal(true);
  });
});
