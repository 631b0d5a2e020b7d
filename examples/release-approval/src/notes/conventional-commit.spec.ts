import { expect } from 'chai';
import { parseConventionalCommit } from './conventional-commit.js';

describe('parseConventionalCommit', () => {
  it('should parse type, scope and description', () => {
    expect(parseConventionalCommit('Fix(http/api): answer: yes')).to.deep.equal({
      type: 'fix',
      scope: 'http/api',
      breaking: false,
      description: 'answer: yes',
    });
  });

  it('should detect a breaking change by its exclamation mark or its footer', () => {
    expect(parseConventionalCommit('feat!: x').breaking).to.equal(true);
    expect(parseConventionalCommit('feat: x', 'why\n\nBREAKING-CHANGE: y').breaking).to.equal(true);
    expect(parseConventionalCommit('feat: x', 'no BREAKING CHANGE: y').breaking).to.equal(false);
  });

  for (const subject of ['Fix it', 'fix:', 'fix(: x', ': x', 'http://x.y/z', 'fix :x']) {
    it(`should return "${subject}" unchanged as a description without a type`, () => {
      expect(parseConventionalCommit(subject)).to.include({ type: null, description: subject });
    });
  }
});
