import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { buildComment } from './comments.spec.support.js';
import { countSeenComments, extendSeenCount, findKnownRound, findNewComments } from './find-last-visit.js';
import type { Visit } from './visit-store.js';

const buildRound = (round: number, votedByCaller = false): Approval =>
  ({ approvalId: `approval-${round}`, round, votedByCaller }) as Approval;

const buildVisit = (changes: Partial<Visit> = {}): Visit => ({
  lastCommentId: '',
  lastCommentAt: '',
  sawSubject: false,
  ...changes,
});

describe('findKnownRound()', () => {
  const newestFirst = [3, 2, 1].map((round) => buildRound(round));
  const visitRound = (round: number, sawSubject = true) => new Map([[`approval-${round}`, buildVisit({ sawSubject })]]);

  it('should be the last round that the user has seen completely', () => {
    const visits = new Map([...visitRound(1), ...visitRound(2), ...visitRound(3, false)]);
    const known = findKnownRound(newestFirst, visits);
    expect([known?.round.round, known?.wasSeen]).to.deep.equal([2, true]);
  });

  it('should be a round that the user voted on, also in another browser', () => {
    const known = findKnownRound([buildRound(3), buildRound(2), buildRound(1, true)], new Map());
    expect([known?.round.round, known?.wasSeen]).to.deep.equal([1, true]);
  });

  it('should be the previous round for a user who knows none', () => {
    const known = findKnownRound(newestFirst, visitRound(1, false));
    expect([known?.round.round, known?.wasSeen]).to.deep.equal([3, false]);
    expect(findKnownRound([], visitRound(1))).to.equal(undefined);
  });
});

describe('seen comments', () => {
  const comments = [1, 2, 3, 4].map((id) => buildComment(id));
  const visitComment = (id: number) =>
    buildVisit({ lastCommentId: `comment-${id}`, lastCommentAt: comments[id - 1]!.at });

  it('should be those up to the last one that was seen in any round', () => {
    expect(countSeenComments(comments, [buildVisit(), visitComment(1), visitComment(3)])).to.equal(3);
    expect(countSeenComments(comments, [buildVisit()])).to.equal(0);
    expect(countSeenComments(comments, [])).to.equal(0);
  });

  it('should not include a comment of the same millisecond that followed', () => {
    const { at } = comments[0]!;
    const simultaneous = [comments[0]!, buildComment(2, { at })];
    expect(countSeenComments(simultaneous, [visitComment(1)])).to.equal(1);
  });

  it('should be found by their time if the last one is gone', () => {
    const { at } = comments[1]!;
    expect(countSeenComments(comments, [buildVisit({ lastCommentId: 'gone', lastCommentAt: at })])).to.equal(2);
  });

  it('should grow by what was in view or is their own, but never past a comment that was not', () => {
    const answered = [...comments.slice(0, 2), buildComment(3, { by: 'bob' }), buildComment(4)];
    const extend = (count: number, ...seenIds: string[]) => extendSeenCount(answered, count, new Set(seenIds), 'bob');
    expect(extend(0)).to.equal(0);
    expect(extend(1, 'comment-2')).to.equal(3);
    expect(extend(0, 'comment-2', 'comment-4')).to.equal(0);
    expect(extend(2, 'comment-4')).to.equal(4);
  });
});

describe('findNewComments()', () => {
  it('should find the comments of others that were not seen, also before an own one', () => {
    const comments = [buildComment(1), buildComment(2), buildComment(3, { by: 'bob' }), buildComment(4)];
    expect([...findNewComments(comments, 1, 'bob')]).to.deep.equal(['comment-2', 'comment-4']);
    expect([...findNewComments(comments, 4, 'bob')]).to.deep.equal([]);
  });
});
