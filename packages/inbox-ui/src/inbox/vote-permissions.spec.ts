import { expect } from 'chai';
import type { InboxHost } from './inbox-host.js';
import { anApproval } from './inbox.spec.support.js';
import { opensSigningDialog, desktopLink, needsSigningKey, canVote } from './vote-permissions.js';

describe('inbox: vote permissions', () => {
  const here: Pick<InboxHost, 'signing'> = { signing: { kind: 'elsewhere' } };
  const there: Pick<InboxHost, 'signing'> = { signing: { kind: 'here', every: false } };

  it('should allow a vote if the server allows it', () => {
    expect(canVote(anApproval(), here)).to.equal(true);
    for (const not of [
      anApproval({ status: 'approved' }),
      anApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } }),
    ]) {
      expect(canVote(not, here)).to.equal(false);
      expect(needsSigningKey({ ...not, signatureRequired: true }, here), 'nothing to sign').to.equal(false);
    }
  });

  it('should not allow a vote that requires a signature in a client that does not sign', () => {
    const signed = anApproval({ signatureRequired: true });
    expect([canVote(signed, here), needsSigningKey(signed, here)]).to.deep.equal([false, true]);
    expect([canVote(signed, there), needsSigningKey(signed, there)]).to.deep.equal([true, false]);
  });

  it('should not allow a vote that requires a signature before a signing key is set up', () => {
    const soon: Pick<InboxHost, 'signing'> = { signing: { kind: 'to-set-up', setUp: () => undefined } };
    expect([canVote(anApproval({ signatureRequired: true }), soon), canVote(anApproval(), soon)]).to.deep.equal([
      false,
      true,
    ]);
  });

  it('should open the signing dialog for required signatures, or for every vote if the user wants that', () => {
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

  it('should link to the approval in the desktop client by its id only', () => {
    expect(desktopLink('018f-1')).to.equal('countersign://approvals/018f-1');
    expect(desktopLink('a/../b?c')).to.equal('countersign://approvals/a%2F..%2Fb%3Fc');
  });
});
