import { expect } from 'chai';
import { createCallSubject, createApproval } from './inbox.spec.support.js';
import { explainNextRound } from './explain-next-round.js';

describe('inbox: reason for the next round', () => {
  it('should name the person who requested changes or edited the arguments, and otherwise state that the subject changed', () => {
    const call = createApproval({ status: 'withdrawn', subject: createCallSubject() });
    const edited = createApproval({
      subject: createCallSubject({ editedBy: 'bea', inputs: { to: 'cem@example.org', subject: 'Hello' } }),
    });
    expect(explainNextRound(call, edited).text).to.contain('bea changed the arguments');
    expect(explainNextRound({ ...edited, status: 'withdrawn' }, edited).title, 'edited in an earlier round').to.contain(
      'has changed',
    );
    expect(explainNextRound(call, createApproval({ subject: createCallSubject() })).title).to.contain('has changed');
    expect(
      explainNextRound(createApproval({ status: 'changes_requested', resolvedBy: 'ada' }), createApproval()).text,
    ).to.contain('ada asked for changes');
  });
});
