import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { dueState } from './due.js';
import { anApproval, digestOf } from './inbox.spec.support.js';
import { missingVotesText, whyNot } from './decision-status.js';

const vote = (by: string, byName: string | null = null): Approval['votes'][number] => ({
  voteId: `vote-${by}`,
  decision: 'approve',
  comment: null,
  by,
  byName,
  inPlaceOf: null,
  at: '2026-11-22T11:00:00.000Z',
  digest: digestOf('b'),
  signature: null,
  keyId: null,
});
const because = (...reasons: string[]): string[] => whyNot(anApproval({ canDecide: { allowed: false, reasons } }));

describe('inbox: approval status', () => {
  it('should explain in a sentence why the user may not vote', () => {
    expect(because('self_approval')[0]).to.contain('Another person must decide');
    expect(because('not_a_candidate')[0]).to.contain('not an approver for this request');
    expect(because('already_voted')[0]).to.contain('already voted');
    expect(because('service_cannot_decide')[0]).to.contain('Only people');
    expect(because('something_new')).to.deep.equal(['The server would refuse your decision (something_new).']);
    expect(because('constructor')).to.deep.equal(['The server would refuse your decision (constructor).']);
    expect(whyNot(anApproval())).to.deep.equal([]);
  });

  it('should mention only the missing role if the role may not vote', () => {
    expect(because('forbidden', 'self_approval')).to.deep.equal(['Your role can’t decide approvals.']);
  });

  it('should report that the user has voted, not that the user is no candidate, after a vote as substitute', () => {
    expect(because('not_a_candidate', 'already_voted')).to.have.length(1);
    expect(because('not_a_candidate', 'already_voted')[0]).to.contain('already voted');
  });

  it('should report the outcome and the person who resolved the approval', () => {
    expect(whyNot(anApproval({ status: 'approved', resolvedBy: 'ada', votes: [vote('ada', 'Ada L.')] }))).to.deep.equal(
      ['Approved by Ada L..'],
    );
    expect(whyNot(anApproval({ status: 'rejected', resolvedBy: 'ada' }))).to.deep.equal(['Rejected by ada.']);
    expect(whyNot(anApproval({ status: 'withdrawn' }))[0]).to.contain('Withdrawn');
  });

  it('should name the people and groups whose votes are missing for the quorum', () => {
    expect(missingVotesText(anApproval())).to.equal('');
    expect(missingVotesText(anApproval({ quorum: { required: 2, approvals: 0 } }))).to.equal(
      '2 approvals are missing from anyone who may approve.',
    );
    expect(
      missingVotesText(
        anApproval({
          quorum: { required: 2, approvals: 1 },
          votes: [vote('ada')],
          candidateUsers: ['ada', 'bea'],
          candidateGroups: ['leads'],
        }),
      ),
    ).to.equal('ada approved. One approval is missing from bea, the group leads.');
  });

  it('should name delegates until they vote', () => {
    const delegation = { from: 'bea', to: 'cem', until: null, voteId: null, absenceId: null };
    const asked = { quorum: { required: 3, approvals: 1 }, candidateUsers: ['ada', 'bea', 'dan'] };
    expect(missingVotesText(anApproval({ ...asked, votes: [vote('ada')], delegations: [delegation] }))).to.contain(
      'from bea, dan, cem.',
    );
    expect(
      missingVotesText(
        anApproval({ ...asked, votes: [vote('cem')], delegations: [{ ...delegation, voteId: 'vote-cem' }] }),
      ),
    ).to.contain('from ada, dan.');
  });

  it('should name a voter neither as approving nor as missing if the vote no longer counts', () => {
    const asked = { quorum: { required: 2, approvals: 1 }, candidateUsers: ['ada', 'bea', 'cem'] };
    const votes = [{ ...vote('ada'), counts: false as const }, vote('bea')];
    expect(missingVotesText(anApproval({ ...asked, votes }))).to.equal(
      'bea approved. One approval is missing from cem.',
    );
  });

  it('should classify due times as overdue, soon, later or none', () => {
    const now = Date.parse('2026-11-22T12:00:00.000Z');
    expect(
      ['2026-11-22T11:59:59.000Z', '2026-11-22T13:00:00.000Z', '2026-11-25T00:00:00.000Z', null].map((at) =>
        dueState(at, now),
      ),
    ).to.deep.equal(['overdue', 'soon', 'later', 'none']);
  });
});
