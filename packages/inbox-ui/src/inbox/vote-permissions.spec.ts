import { expect } from 'chai';
import type { InboxHost } from './inbox-host.js';
import { createApproval } from './inbox.spec.support.js';
import {
  opensSigningDialog,
  buildDesktopLink,
  needsSigningKey,
  canVote,
  explainUnavailableDecision,
} from './vote-permissions.js';

describe('inbox: vote permissions', () => {
  const hostWithoutKey: Pick<InboxHost, 'signing'> = { signing: { kind: 'elsewhere' } };
  const hostWithKey: Pick<InboxHost, 'signing'> = { signing: { kind: 'here', signsEveryVote: false } };

  it('should allow a vote only if the server allows it', () => {
    expect(canVote(createApproval(), hostWithoutKey)).to.equal(true);
    for (const refusedApproval of [
      createApproval({ status: 'approved' }),
      createApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } }),
    ]) {
      expect(canVote(refusedApproval, hostWithoutKey)).to.equal(false);
      expect(
        needsSigningKey({ ...refusedApproval, signatureRequired: true }, hostWithoutKey),
        'nothing to sign',
      ).to.equal(false);
    }
  });

  it('should not allow a vote that requires a signature in a client that does not sign', () => {
    const approvalToSign = createApproval({ signatureRequired: true });
    expect([canVote(approvalToSign, hostWithoutKey), needsSigningKey(approvalToSign, hostWithoutKey)]).to.deep.equal([
      false,
      true,
    ]);
    expect([canVote(approvalToSign, hostWithKey), needsSigningKey(approvalToSign, hostWithKey)]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('should not allow a vote that requires a signature before a signing key is set up', () => {
    const hostBeforeSetUp: Pick<InboxHost, 'signing'> = { signing: { kind: 'to-set-up', setUp: () => undefined } };
    expect([
      canVote(createApproval({ signatureRequired: true }), hostBeforeSetUp),
      canVote(createApproval(), hostBeforeSetUp),
    ]).to.deep.equal([false, true]);
  });

  it('should open the signing dialog for required signatures, or for every vote if the user has enabled that', () => {
    const hostThatSignsEveryVote: Pick<InboxHost, 'signing'> = { signing: { kind: 'here', signsEveryVote: true } };
    const approvalToSign = createApproval({ signatureRequired: true });
    expect([
      opensSigningDialog(approvalToSign, hostWithKey),
      opensSigningDialog(approvalToSign, hostWithKey, true),
      opensSigningDialog(createApproval(), hostWithKey),
    ]).to.deep.equal([true, false, false]);
    expect([
      opensSigningDialog(approvalToSign, hostThatSignsEveryVote),
      opensSigningDialog(approvalToSign, hostThatSignsEveryVote, true),
      opensSigningDialog(createApproval(), hostThatSignsEveryVote),
    ]).to.deep.equal([true, true, true]);
    expect([
      opensSigningDialog(approvalToSign, hostWithoutKey),
      opensSigningDialog(createApproval(), hostWithoutKey),
    ]).to.deep.equal([false, false]);
  });

  it('should link to the approval in the desktop client by its id only', () => {
    expect(buildDesktopLink('018f-1')).to.equal('countersign://approvals/018f-1');
    expect(buildDesktopLink('a/../b?c')).to.equal('countersign://approvals/a%2F..%2Fb%3Fc');
  });

  it('should explain a decision that the workflow leaves no way for, if the server states it', () => {
    const approval = createApproval({
      unavailableDecisions: [{ decision: 'request_changes', reason: 'rework_not_possible' }],
    });
    expect(explainUnavailableDecision(approval, 'request_changes')).to.contain('no step to rework');
    expect(explainUnavailableDecision(approval, 'reject')).to.equal(undefined);
    expect(explainUnavailableDecision(createApproval(), 'request_changes'), 'an older server').to.equal(undefined);
    expect(
      explainUnavailableDecision(
        createApproval({ unavailableDecisions: [{ decision: 'reject', reason: 'a_newer_code' }] }),
        'reject',
      ),
    ).to.contain('does not accept');
  });
});
