import { expect } from 'chai';
import { inVersionRange } from './version-range.js';

describe('inVersionRange', () => {
  // As npm's semver answers.
  for (const [version, range, expected] of [
    ['0.1.0', '^0.1.0', true],
    ['0.1.7', '^0.1.0', true],
    ['0.2.0', '^0.1.0', false],
    ['0.0.4', '^0.0.3', false],
    ['0.9.0', '^0', true],
    ['1.9.0', '^1.2', true],
    ['1.1.9', '^1.2', false],
    ['2.0.0', '^1.2.3', false],
    ['1.2.9', '~1.2.3', true],
    ['1.3.0', '~1.2', false],
    ['1.5.0', '~1', true],
    ['1.5.0', '>=1.0.0 <2', true],
    ['2.0.0', '>=1.0.0 <2', false],
    ['2.0.0', '>= 1.0.0', true],
    ['1.4.0', '1.x', true],
    ['1.4.0', '1.3', false],
    ['1.4.0', '1.0.0 - 1.4', true],
    ['1.5.0', '1.0.0 - 1.4', false],
    ['1.4.0', '>1.4', false],
    ['1.4.0', '<=1.4', true],
    ['3.0.0', '^1.0.0 || ^3', true],
    ['3.0.0', '*', true],
    ['3.0.0', '', true],
  ] as const) {
    it(`should find ${version} ${expected ? 'in' : 'outside of'} "${range}"`, () => {
      expect(inVersionRange(version, range)).to.equal(expected);
    });
  }

  it('should not guess at what is no range', () => {
    expect(inVersionRange('1.0.0', 'latest')).to.equal(undefined);
    expect(inVersionRange('1.0.0', '^1.0.0 || workspace:*')).to.equal(undefined);
  });
});
