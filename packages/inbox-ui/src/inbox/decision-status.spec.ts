import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { getDueState } from './due-state.js';
import { createApproval, createDigest } from './inbox.spec.support.js';
import { describeMissingVotes, describeOtherVoters, explainDecisionBlockers } from './decision-status.js';

const createVote = (by: string, byName: string | null = null): Approval['votes'][number] => ({
  voteId: `vote-${by}`,
  decision: 'approve',
  comment: null,
  by,
  byName,
  inPlaceOf: null,
  at: '2026-11-22T11:00:00.000Z',
  digest: createDigest('b'),
  signature: null,
  keyId: null,
});
const findBlockers = (...reasons: string[]): string[] =>
  explainDecisionBlockers(createApproval({ canDecide: { allowed: false, reasons } }));

describe('inbox: approval status', () => {
  it('should explain in a sentence why the user may not vote', () => {
    expect(findBlockers('self_approval')[0]).to.contain('Another person must decide');
    expect(findBlockers('not_a_candidate')[0]).to.contain('not an approver for this request');
    expect(findBlockers('already_voted')[0]).to.contain('already voted');
    expect(findBlockers('service_cannot_decide')[0]).to.contain('Only people');
    expect(findBlockers('something_new')).to.deep.equal(['The server would refuse your decision (something_new).']);
    expect(findBlockers('constructor')).to.deep.equal(['The server would refuse your decision (constructor).']);
    expect(explainDecisionBlockers(createApproval())).to.deep.equal([]);
  });

  it('should mention only the missing role if the role may not vote', () => {
    expect(findBlockers('forbidden', 'self_approval')).to.deep.equal(['Your role can’t decide approvals.']);
  });

  it('should report that the user has voted, not that the user is not a candidate, after a vote as a substitute', () => {
    expect(findBlockers('not_a_candidate', 'already_voted')).to.have.length(1);
    expect(findBlockers('not_a_candidate', 'already_voted')[0]).to.contain('already voted');
  });

  it('should report the outcome and the person who resolved the approval', () => {
    expect(
      explainDecisionBlockers(
        createApproval({ status: 'approved', resolvedBy: 'ada', votes: [createVote('ada', 'Ada L.')] }),
      ),
    ).to.deep.equal(['Approved by Ada L..']);
    expect(explainDecisionBlockers(createApproval({ status: 'rejected', resolvedBy: 'ada' }))).to.deep.equal([
      'Rejected by ada.',
    ]);
    expect(explainDecisionBlockers(createApproval({ status: 'withdrawn' }))[0]).to.contain('Withdrawn');
  });

  it('should name who can decide instead of the user, without those who have voted', () => {
    const describe = (overrides: Partial<Approval>): string =>
      describeOtherVoters(createApproval(overrides), ['me', 'Me'], Date.parse('2026-11-22T12:00:00Z'));
    const delegation = { from: 'eve', to: 'dan', until: null, voteId: null, absenceId: null };
    expect(describe({ candidateUsers: ['me', 'ada', 'bob'], candidateGroups: ['treasury'] })).to.equal(
      'This can be decided by ada, bob, or the treasury group. Send them the link.',
    );
    expect(describe({ candidateUsers: ['ada', 'bob'], excludedUsers: ['ada'] })).to.match(/ by bob\./);
    expect(describe({ candidateUsers: ['me'], delegations: [delegation] })).to.match(/ by dan\./);
    expect(
      describe({ candidateUsers: ['me'], delegations: [{ ...delegation, until: '2026-11-22T11:00:00Z' }] }),
    ).to.contain('No other candidate');
    expect(describe({ candidateUsers: ['Me', 'ada'], votes: [createVote('ada')] })).to.contain('No other candidate');
    expect(describe({})).to.equal('Any other approver can decide this. Send one of them the link.');
    expect(describe({ excludedUsers: ['me', 'ann', 'carl'] })).to.contain('except ann and carl.');
    expect(describe({ status: 'approved' })).to.equal('');
  });

  it('should name the people and groups whose votes are missing for the quorum', () => {
    expect(describeMissingVotes(createApproval())).to.equal('');
    expect(describeMissingVotes(createApproval({ quorum: { required: 2, approvals: 0 } }))).to.equal(
      '2 approvals are missing from anyone who may approve.',
    );
    expect(
      describeMissingVotes(
        createApproval({
          quorum: { required: 2, approvals: 1 },
          votes: [createVote('ada')],
          candidateUsers: ['ada', 'bea'],
          candidateGroups: ['leads'],
        }),
      ),
    ).to.equal('ada approved. One approval is missing from bea, the leads group.');
  });

  it('should name delegates until they vote', () => {
    const delegation = { from: 'bea', to: 'cem', until: null, voteId: null, absenceId: null };
    const approvalFields = { quorum: { required: 3, approvals: 1 }, candidateUsers: ['ada', 'bea', 'dan'] };
    expect(
      describeMissingVotes(
        createApproval({ ...approvalFields, votes: [createVote('ada')], delegations: [delegation] }),
      ),
    ).to.contain('from bea, dan, cem.');
    expect(
      describeMissingVotes(
        createApproval({
          ...approvalFields,
          votes: [createVote('cem')],
          delegations: [{ ...delegation, voteId: 'vote-cem' }],
        }),
      ),
    ).to.contain('from ada, dan.');
  });

  it('should name a voter neither as approving nor as missing if the vote no longer counts', () => {
    const approvalFields = { quorum: { required: 2, approvals: 1 }, candidateUsers: ['ada', 'bea', 'cem'] };
    const votes = [{ ...createVote('ada'), counts: false as const }, createVote('bea')];
    expect(describeMissingVotes(createApproval({ ...approvalFields, votes }))).to.equal(
      'bea approved. One approval is missing from cem.',
    );
  });

  it('should classify due times as overdue, soon, later or none', () => {
    const now = Date.parse('2026-11-22T12:00:00.000Z');
    expect(
      ['2026-11-22T11:59:59.000Z', '2026-11-22T13:00:00.000Z', '2026-11-25T00:00:00.000Z', null].map((at) =>
        getDueState(at, now),
      ),
    ).to.deep.equal(['overdue', 'soon', 'later', 'none']);
  });
});
