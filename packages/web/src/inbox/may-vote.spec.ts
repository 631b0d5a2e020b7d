import { expect } from 'chai';
import { anApproval } from './inbox.spec.support.js';
import { desktopLink, mayVote, mustSignElsewhere } from './may-vote.js';

describe('inbox: who may vote here', () => {
  const here = { signs: false };
  const there = { signs: true };

  it('should be whoever the server would let', () => {
    expect(mayVote(anApproval(), here)).to.equal(true);
    for (const not of [anApproval({ status: 'approved' }), anApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } })]) {
      expect(mayVote(not, here)).to.equal(false);
      expect(mustSignElsewhere({ ...not, signatureRequired: true }, here), 'nothing to sign').to.equal(false);
    }
  });

  it('should be nobody where only signed votes count, and none are signed', () => {
    const signed = anApproval({ signatureRequired: true });
    expect([mayVote(signed, here), mustSignElsewhere(signed, here)]).to.deep.equal([false, true]);
    expect([mayVote(signed, there), mustSignElsewhere(signed, there)]).to.deep.equal([true, false]);
  });

  it('should be led to the desktop client by a link that names the approval alone', () => {
    expect(desktopLink('018f-1')).to.equal('countersign://approvals/018f-1');
    expect(desktopLink('a/../b?c')).to.equal('countersign://approvals/a%2F..%2Fb%3Fc');
  });
});
