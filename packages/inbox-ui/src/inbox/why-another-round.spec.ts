import { expect } from 'chai';
import { aCall, anApproval } from './inbox.spec.support.js';
import { whyAnotherRound } from './why-another-round.js';

describe('inbox: reason for the next round', () => {
  it('should name who requested changes or edited the arguments, and otherwise state that the subject changed', () => {
    const call = anApproval({ status: 'withdrawn', subject: aCall() });
    const edited = anApproval({
      subject: aCall({ editedBy: 'bea', inputs: { to: 'cem@example.org', subject: 'Hello' } }),
    });
    expect(whyAnotherRound(call, edited).text).to.contain('bea changed the arguments');
    expect(whyAnotherRound({ ...edited, status: 'withdrawn' }, edited).title, 'edited before').to.contain(
      'has changed',
    );
    expect(whyAnotherRound(call, anApproval({ subject: aCall() })).title).to.contain('has changed');
    expect(
      whyAnotherRound(anApproval({ status: 'changes_requested', resolvedBy: 'ada' }), anApproval()).text,
    ).to.contain('ada asked for changes');
  });
});
