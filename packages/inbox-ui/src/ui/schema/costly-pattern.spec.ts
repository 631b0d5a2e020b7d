import { expect } from 'chai';
import { isCostlyPattern } from './costly-pattern.js';

describe('isCostlyPattern', () => {
  for (const pattern of [
    '^v\\d+\\.\\d+\\.\\d+$',
    '^[a-z][a-z0-9-]*$',
    '^(?:main|next)$',
    '^(?:ab)+$',
    '^[(a+)+]{3}$',
    '^\\(a+\\)+$',
  ]) {
    it(`should not report ${pattern} as costly`, () => {
      expect(isCostlyPattern(pattern, 40)).to.equal(false);
    });
  }

  for (const pattern of [
    '(a+)+$',
    '^(a|a)*$',
    '^((a)*b)*$',
    '(?:a?){9}',
    '^(a)\\1*$',
    'a?'.repeat(30),
    '(.*)(.*)(.*)(.*)x',
  ]) {
    it(`should report ${pattern} as costly`, () => {
      expect(isCostlyPattern(pattern, 40)).to.equal(true);
    });
  }

  it('should report more patterns as costly for a longer text', () => {
    expect([isCostlyPattern('^a*b*c*$', 40), isCostlyPattern('^a*b*c*$', 4_000)]).to.deep.equal([false, true]);
  });
});
