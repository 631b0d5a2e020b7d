import { expect } from 'chai';
import { groupPendingVotes } from './group-pending-votes.js';
import type { PendingVote, PendingVoteState } from './pending-vote.js';

const createVote = (approvalId: string, state: PendingVoteState): PendingVote => ({
  approval: { approvalId, title: approvalId, round: 1, digest: 'digest' },
  draft: { decision: 'approve', comment: '' },
  state,
  sendAt: 0,
  key: approvalId,
  opensSigningDialog: false,
});
const group = (...votes: PendingVote[]) => {
  const { failed, latest, others } = groupPendingVotes(votes);
  return {
    failed: failed?.key,
    latest: latest?.key,
    others: others.map(({ key }) => key),
  };
};

describe('groupPendingVotes', () => {
  it('should give the line to the vote that the undo key undoes', () => {
    expect(group(createVote('a', 'undoable'), createVote('b', 'undoable'), createVote('c', 'sending'))).to.deep.equal({
      failed: undefined,
      latest: 'b',
      others: ['c', 'a'],
    });
  });

  it('should give the line to the newest vote that is being sent if none can be undone', () => {
    expect(group(createVote('a', 'sending'), createVote('b', 'sending'))).to.deep.equal({
      failed: undefined,
      latest: 'b',
      others: ['a'],
    });
  });

  it('should keep the newest failed vote on display next to newer votes', () => {
    expect(
      group(
        createVote('a', 'refused'),
        createVote('b', 'unconfirmed'),
        createVote('c', 'undoable'),
        createVote('d', 'undoable'),
      ),
    ).to.deep.equal({ failed: 'b', latest: 'd', others: ['c', 'a'] });
    expect(group(createVote('a', 'changed'))).to.deep.equal({ failed: 'a', latest: undefined, others: [] });
  });
});
