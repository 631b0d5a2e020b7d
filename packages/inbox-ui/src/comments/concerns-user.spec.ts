import { expect } from 'chai';
import { buildComment } from './comments.spec.support.js';
import { concernsUser } from './concerns-user.js';

describe('concernsUser()', () => {
  const comment = buildComment(2);

  it('should be true for the requester and for those who have commented before', () => {
    expect(concernsUser(comment, [comment], 'otto', 'otto')).to.equal(true);
    expect(concernsUser(comment, [buildComment(1, { by: 'bob' }), comment], 'otto', 'bob')).to.equal(true);
  });

  it('should be false for everybody else', () => {
    expect(concernsUser(comment, [comment], 'otto', 'bob')).to.equal(false);
    expect(concernsUser(comment, [comment, buildComment(3, { by: 'bob' })], 'otto', 'bob')).to.equal(false);
    expect(concernsUser(comment, [comment], 'ada', 'ada')).to.equal(false);
  });

  it('should be false for an erased comment', () => {
    expect(concernsUser(buildComment(2, { text: null, by: null }), [], 'otto', 'otto')).to.equal(false);
  });
});
