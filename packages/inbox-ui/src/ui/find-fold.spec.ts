import { expect } from 'chai';
import { findFold } from './find-fold.js';

describe('findFold', () => {
  it('should not fold short text', () => {
    expect(findFold('')).to.equal(undefined);
    expect(findFold('x'.repeat(4_000))).to.equal(undefined);
    expect(findFold('x\n'.repeat(59))).to.equal(undefined);
  });

  it('should keep the first characters of a long line', () => {
    expect(findFold('x'.repeat(4_001))).to.equal(2_500);
  });

  it('should keep the first lines of many lines', () => {
    expect(findFold('four\n'.repeat(60))).to.equal(40 * 5 - 1);
  });

  it('should not split a character', () => {
    expect(findFold(`${'x'.repeat(2_499)}😀${'y'.repeat(4_000)}`)).to.equal(2_499);
  });

  it('should apply other limits, if they are given', () => {
    const limits = { unfolded: { characters: 10, lines: 3 }, visible: { characters: 6, lines: 2 } };
    expect(findFold('x'.repeat(10), limits)).to.equal(undefined);
    expect(findFold('x'.repeat(11), limits)).to.equal(6);
    expect(findFold('a\nb\nc\n', limits)).to.equal(3);
  });
});
