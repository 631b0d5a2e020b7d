import { expect } from 'chai';
import { whyNotTogether } from './bulk-choice.js';
import { requirementsFor, evidenceKey } from './decision-requirements.js';
import { aCall, anApproval } from './inbox.spec.support.js';

const notes = { name: 'notes', version: 2, sha256: 'abc' };
const risky = anApproval({
  riskLevel: 'high',
  subject: aCall({ evidence: [notes, { name: 'absent', version: null, sha256: null }] }),
});

describe('inbox: requirements of a decision', () => {
  it('should require opened evidence and a confirmation for an approval at high risk', () => {
    expect(requirementsFor(risky, 'approve', '', new Set())).to.deep.equal({
      commentMissing: false,
      unopened: ['notes'],
      confirm: true,
    });
    expect(requirementsFor(risky, 'approve', '', new Set([evidenceKey(notes)]))).to.deep.equal({
      commentMissing: false,
      unopened: [],
      confirm: true,
    });
    expect(requirementsFor({ ...risky, riskLevel: 'critical' }, 'approve', '', new Set()).confirm).to.equal(true);
  });

  it('should count evidence as unopened if another version was opened', () => {
    expect(
      requirementsFor(risky, 'approve', '', new Set([evidenceKey({ ...notes, sha256: 'older' })])).unopened,
    ).to.deep.equal(['notes']);
  });

  it('should require no confirmation or opened evidence at lower risk or for a rejection', () => {
    for (const riskLevel of ['low', 'medium'] as const)
      expect(requirementsFor({ ...risky, riskLevel }, 'approve', '', new Set())).to.deep.equal({
        commentMissing: false,
        unopened: [],
        confirm: false,
      });
    expect(requirementsFor(risky, 'reject', '', new Set())).to.deep.equal({
      commentMissing: false,
      unopened: [],
      confirm: false,
    });
  });

  it('should require a comment for a request for changes', () => {
    expect(requirementsFor(risky, 'request_changes', ' \n', new Set()).commentMissing).to.equal(true);
    expect(requirementsFor(risky, 'request_changes', 'Name it.', new Set()).commentMissing).to.equal(false);
  });

  it('should allow a bulk approval only for low-risk approvals of one step that the user may decide unsigned', () => {
    const here = { signing: { kind: 'elsewhere' } } as const;
    const one = anApproval();
    const signed = anApproval({ signatureRequired: true });
    expect(whyNotTogether([one, signed], here)).to.contain('signed');
    expect(whyNotTogether([one, signed], { signing: { kind: 'here', every: false } })).to.contain('signed');
    expect(whyNotTogether([one], { signing: { kind: 'here', every: false } })).to.equal(undefined);
    expect(whyNotTogether([one], { signing: { kind: 'here', every: true } })).to.contain('signed');
    expect(whyNotTogether([one, anApproval({ approvalId: 'b' })], here)).to.equal(undefined);
    expect(whyNotTogether([one, anApproval({ riskLevel: 'medium' })], here)).to.contain('low-risk');
    expect(whyNotTogether([one, anApproval({ elementId: 'other' })], here)).to.contain('same step');
    expect(
      whyNotTogether([anApproval({ subject: aCall() }), anApproval({ subject: aCall({ tool: 'note' }) })], here),
    ).to.contain('same step');
    expect(
      whyNotTogether([one, anApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } })], here),
    ).to.contain('you may decide');
    expect(
      whyNotTogether(
        Array.from({ length: 101 }, () => one),
        here,
      ),
    ).to.contain('100');
  });
});
