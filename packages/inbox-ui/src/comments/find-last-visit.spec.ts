import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { buildComment } from './comments.spec.support.js';
import { findKnownRound, findNewComments } from './find-last-visit.js';

const buildRound = (round: number, votedByCaller = false): Approval =>
  ({ approvalId: `approval-${round}`, round, votedByCaller }) as Approval;

describe('findKnownRound()', () => {
  const newestFirst = [3, 2, 1].map((round) => buildRound(round));
  const visitRound = (round: number) => new Map([[`approval-${round}`, { lastCommentAt: '' }]]);

  it('should be the last round that the user looked at', () => {
    const visits = new Map([...visitRound(1), ...visitRound(2)]);
    const known = findKnownRound(newestFirst, visits);
    expect([known?.round.round, known?.wasSeen]).to.deep.equal([2, true]);
  });

  it('should be a round that the user voted on, also in another browser', () => {
    const known = findKnownRound([buildRound(3), buildRound(2), buildRound(1, true)], new Map());
    expect([known?.round.round, known?.wasSeen]).to.deep.equal([1, true]);
  });

  it('should be the previous round for a user who knows none', () => {
    const known = findKnownRound(newestFirst, new Map());
    expect([known?.round.round, known?.wasSeen]).to.deep.equal([3, false]);
    expect(findKnownRound([], visitRound(1))).to.equal(undefined);
  });
});

describe('findNewComments()', () => {
  const comments = [1, 2, 3, 4].map((id) => buildComment(id));
  const findNew = (...args: Parameters<typeof findNewComments>) => [...findNewComments(...args)];

  it('should find the comments after the last visit at any round', () => {
    const visits = [undefined, { lastCommentAt: comments[0]!.at }, { lastCommentAt: comments[2]!.at }];
    expect(findNew(comments, visits, 'bob')).to.deep.equal(['comment-4']);
  });

  it('should find all comments if there were none when the user looked', () => {
    expect(findNew(comments, [{ lastCommentAt: '' }], 'bob')).to.have.length(4);
  });

  it('should find neither own comments nor what the user has replied to', () => {
    const answered = [...comments.slice(0, 2), buildComment(3, { by: 'bob' }), buildComment(4)];
    expect(findNew(answered, [{ lastCommentAt: '' }], 'bob')).to.deep.equal(['comment-4']);
  });

  it('should find nothing for a user who has never looked', () => {
    expect(findNew(comments, [undefined], 'bob')).to.deep.equal([]);
  });
});
