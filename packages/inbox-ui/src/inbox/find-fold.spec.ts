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
});
