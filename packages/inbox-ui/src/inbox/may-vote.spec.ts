import { expect } from 'chai';
import type { InboxHost } from './inbox-host.js';
import { anApproval } from './inbox.spec.support.js';
import { asksToSign, desktopLink, lacksKey, mayVote } from './may-vote.js';

describe('inbox: who may vote here', () => {
  const here: Pick<InboxHost, 'signing'> = { signing: { kind: 'elsewhere' } };
  const there: Pick<InboxHost, 'signing'> = { signing: { kind: 'here', every: false } };

  it('should be whoever the server would let', () => {
    expect(mayVote(anApproval(), here)).to.equal(true);
    for (const not of [
      anApproval({ status: 'approved' }),
      anApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } }),
    ]) {
      expect(mayVote(not, here)).to.equal(false);
      expect(lacksKey({ ...not, signatureRequired: true }, here), 'nothing to sign').to.equal(false);
    }
  });

  it('should be nobody where only signed votes count, and none are signed', () => {
    const signed = anApproval({ signatureRequired: true });
    expect([mayVote(signed, here), lacksKey(signed, here)]).to.deep.equal([false, true]);
    expect([mayVote(signed, there), lacksKey(signed, there)]).to.deep.equal([true, false]);
  });

  it('should be nobody yet where a key is still to be set up', () => {
    const soon: Pick<InboxHost, 'signing'> = { signing: { kind: 'to-set-up', setUp: () => undefined } };
    expect([mayVote(anApproval({ signatureRequired: true }), soon), mayVote(anApproval(), soon)]).to.deep.equal([
      false,
      true,
    ]);
  });

  it('should be asked to sign what has to be signed, or all where they want that, and never changed arguments that have not', () => {
    const every: Pick<InboxHost, 'signing'> = { signing: { kind: 'here', every: true } };
    const signed = anApproval({ signatureRequired: true });
    expect([asksToSign(signed, there), asksToSign(signed, there, true), asksToSign(anApproval(), there)]).to.deep.equal(
      [true, false, false],
    );
    expect([asksToSign(signed, every), asksToSign(signed, every, true), asksToSign(anApproval(), every)]).to.deep.equal(
      [true, true, true],
    );
    expect([asksToSign(signed, here), asksToSign(anApproval(), here)]).to.deep.equal([false, false]);
  });

  it('should be led to the desktop client by a link that names the approval alone', () => {
    expect(desktopLink('018f-1')).to.equal('countersign://approvals/018f-1');
    expect(desktopLink('a/../b?c')).to.equal('countersign://approvals/a%2F..%2Fb%3Fc');
  });
});
