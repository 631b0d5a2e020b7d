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

describe('inbox: who decides', () => {
  it('should say in a sentence why somebody may not', () => {
    expect(because('self_approval')[0]).to.contain('Another person must decide');
    expect(because('not_a_candidate')[0]).to.contain('not an approver for this request');
    expect(because('already_voted')[0]).to.contain('already voted');
    expect(because('service_cannot_decide')[0]).to.contain('Only people');
    expect(because('something_new')).to.deep.equal(['The server would refuse your decision (something_new).']);
    expect(because('constructor')).to.deep.equal(['The server would refuse your decision (constructor).']);
    expect(whyNot(anApproval())).to.deep.equal([]);
  });

  it('should say no more than that the role is missing, where it is', () => {
    expect(because('forbidden', 'self_approval')).to.deep.equal(['Your role can’t decide approvals.']);
  });

  it('should say of whoever has voted for another that they have voted, and not that nobody asks them', () => {
    expect(because('not_a_candidate', 'already_voted')).to.have.length(1);
    expect(because('not_a_candidate', 'already_voted')[0]).to.contain('already voted');
  });

  it('should say how it ended, and by whom', () => {
    expect(whyNot(anApproval({ status: 'approved', resolvedBy: 'ada', votes: [vote('ada', 'Ada L.')] }))).to.deep.equal(
      ['Approved by Ada L..'],
    );
    expect(whyNot(anApproval({ status: 'rejected', resolvedBy: 'ada' }))).to.deep.equal(['Rejected by ada.']);
    expect(whyNot(anApproval({ status: 'withdrawn' }))[0]).to.contain('Withdrawn');
  });

  it('should name who is missing for the quorum', () => {
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

  it('should name delegates as long as they have not voted', () => {
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

  it('should not name among those who approved whose vote no longer counts, nor ask them again', () => {
    const asked = { quorum: { required: 2, approvals: 1 }, candidateUsers: ['ada', 'bea', 'cem'] };
    const votes = [{ ...vote('ada'), counts: false as const }, vote('bea')];
    expect(missingVotesText(anApproval({ ...asked, votes }))).to.equal(
      'bea approved. One approval is missing from cem.',
    );
  });

  it('should tell what is due from what is overdue', () => {
    const now = Date.parse('2026-11-22T12:00:00.000Z');
    expect(
      ['2026-11-22T11:59:59.000Z', '2026-11-22T13:00:00.000Z', '2026-11-25T00:00:00.000Z', null].map((at) =>
        dueState(at, now),
      ),
    ).to.deep.equal(['overdue', 'soon', 'later', 'none']);
  });
});
