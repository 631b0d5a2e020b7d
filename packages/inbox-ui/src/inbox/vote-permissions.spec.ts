import { expect } from 'chai';
import type { InboxHost } from './inbox-host.js';
import { anApproval } from './inbox.spec.support.js';
import { opensSigningDialog, desktopLink, needsSigningKey, canVote } from './vote-permissions.js';

describe('inbox: who may vote here', () => {
  const here: Pick<InboxHost, 'signing'> = { signing: { kind: 'elsewhere' } };
  const there: Pick<InboxHost, 'signing'> = { signing: { kind: 'here', every: false } };

  it('should be whoever the server would let', () => {
    expect(canVote(anApproval(), here)).to.equal(true);
    for (const not of [
      anApproval({ status: 'approved' }),
      anApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } }),
    ]) {
      expect(canVote(not, here)).to.equal(false);
      expect(needsSigningKey({ ...not, signatureRequired: true }, here), 'nothing to sign').to.equal(false);
    }
  });

  it('should be nobody where only signed votes count, and none are signed', () => {
    const signed = anApproval({ signatureRequired: true });
    expect([canVote(signed, here), needsSigningKey(signed, here)]).to.deep.equal([false, true]);
    expect([canVote(signed, there), needsSigningKey(signed, there)]).to.deep.equal([true, false]);
  });

  it('should be nobody yet where a key is still to be set up', () => {
    const soon: Pick<InboxHost, 'signing'> = { signing: { kind: 'to-set-up', setUp: () => undefined } };
    expect([canVote(anApproval({ signatureRequired: true }), soon), canVote(anApproval(), soon)]).to.deep.equal([
      false,
      true,
    ]);
  });

  it('should be asked to sign what has to be signed, or all where they want that, and never changed arguments that have not', () => {
    const every: Pick<InboxHost, 'signing'> = { signing: { kind: 'here', every: true } };
    const signed = anApproval({ signatureRequired: true });
    expect([
      opensSigningDialog(signed, there),
      opensSigningDialog(signed, there, true),
      opensSigningDialog(anApproval(), there),
    ]).to.deep.equal([true, false, false]);
    expect([
      opensSigningDialog(signed, every),
      opensSigningDialog(signed, every, true),
      opensSigningDialog(anApproval(), every),
    ]).to.deep.equal([true, true, true]);
    expect([opensSigningDialog(signed, here), opensSigningDialog(anApproval(), here)]).to.deep.equal([false, false]);
  });

  it('should be led to the desktop client by a link that names the approval alone', () => {
    expect(desktopLink('018f-1')).to.equal('countersign://approvals/018f-1');
    expect(desktopLink('a/../b?c')).to.equal('countersign://approvals/a%2F..%2Fb%3Fc');
  });
});
