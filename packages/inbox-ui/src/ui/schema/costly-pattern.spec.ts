import { expect } from 'chai';
import { isCostly } from './costly-pattern.js';

describe('isCostly', () => {
  for (const pattern of [
    '^v\\d+\\.\\d+\\.\\d+$',
    '^[a-z][a-z0-9-]*$',
    '^(?:main|next)$',
    '^(?:ab)+$',
    '^[(a+)+]{3}$',
    '^\\(a+\\)+$',
  ]) {
    it(`should take ${pattern}`, () => {
      expect(isCostly(pattern, 40)).to.equal(false);
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
    it(`should not take ${pattern}`, () => {
      expect(isCostly(pattern, 40)).to.equal(true);
    });
  }

  it('should take less of a longer text', () => {
    expect([isCostly('^a*b*c*$', 40), isCostly('^a*b*c*$', 4_000)]).to.deep.equal([false, true]);
  });
});
