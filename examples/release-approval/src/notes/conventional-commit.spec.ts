import { expect } from 'chai';
import { parseSubject } from './conventional-commit.js';

describe('parseSubject', () => {
  it('should parse type, scope and description', () => {
    expect(parseSubject('Fix(http/api): answer: yes')).to.deep.equal({
      type: 'fix',
      scope: 'http/api',
      breaking: false,
      description: 'answer: yes',
    });
  });

  it('should detect a breaking change by its exclamation mark or its footer', () => {
    expect(parseSubject('feat!: x').breaking).to.equal(true);
    expect(parseSubject('feat: x', 'why\n\nBREAKING-CHANGE: y').breaking).to.equal(true);
    expect(parseSubject('feat: x', 'no BREAKING CHANGE: y').breaking).to.equal(false);
  });

  for (const subject of ['Mend it', 'fix:', 'fix(: x', ': x', 'http://x.y/z', 'fix :x']) {
    it(`should return "${subject}" unchanged as a description without a type`, () => {
      expect(parseSubject(subject)).to.include({ type: null, description: subject });
    });
  }
});
