import { expect } from 'chai';
import { findBulkVoteBlocker } from './find-bulk-vote-blocker.js';
import { getDecisionRequirements, getEvidenceKey } from './decision-requirements.js';
import { createCallSubject, createApproval } from './inbox.spec.support.js';

const notes = { name: 'notes', version: 2, sha256: 'abc' };
const highRiskApproval = createApproval({
  riskLevel: 'high',
  subject: createCallSubject({ evidence: [notes, { name: 'absent', version: null, sha256: null }] }),
});

describe('inbox: requirements of a decision', () => {
  it('should require opened evidence and a confirmation for an approval at high risk', () => {
    expect(getDecisionRequirements(highRiskApproval, 'approve', '', new Set())).to.deep.equal({
      commentMissing: false,
      unopenedEvidence: ['notes'],
      needsConfirmation: true,
    });
    expect(getDecisionRequirements(highRiskApproval, 'approve', '', new Set([getEvidenceKey(notes)]))).to.deep.equal({
      commentMissing: false,
      unopenedEvidence: [],
      needsConfirmation: true,
    });
    expect(
      getDecisionRequirements({ ...highRiskApproval, riskLevel: 'critical' }, 'approve', '', new Set())
        .needsConfirmation,
    ).to.equal(true);
  });

  it('should count evidence as unopened if another version was opened', () => {
    expect(
      getDecisionRequirements(highRiskApproval, 'approve', '', new Set([getEvidenceKey({ ...notes, sha256: 'older' })]))
        .unopenedEvidence,
    ).to.deep.equal(['notes']);
  });

  it('should require no confirmation or opened evidence at lower risk or for a rejection', () => {
    for (const riskLevel of ['low', 'medium'] as const)
      expect(getDecisionRequirements({ ...highRiskApproval, riskLevel }, 'approve', '', new Set())).to.deep.equal({
        commentMissing: false,
        unopenedEvidence: [],
        needsConfirmation: false,
      });
    expect(getDecisionRequirements(highRiskApproval, 'reject', '', new Set())).to.deep.equal({
      commentMissing: false,
      unopenedEvidence: [],
      needsConfirmation: false,
    });
  });

  it('should require a comment for a request for changes', () => {
    expect(getDecisionRequirements(highRiskApproval, 'request_changes', ' \n', new Set()).commentMissing).to.equal(
      true,
    );
    expect(
      getDecisionRequirements(highRiskApproval, 'request_changes', 'Add the release notes.', new Set()).commentMissing,
    ).to.equal(false);
  });

  it('should allow a bulk vote only on up to 100 low-risk approvals of one step that the user may decide without signing', () => {
    const host = { signing: { kind: 'elsewhere' } } as const;
    const approval = createApproval();
    const approvalToSign = createApproval({ signatureRequired: true });
    expect(findBulkVoteBlocker([approval, approvalToSign], host)).to.contain('signed');
    expect(
      findBulkVoteBlocker([approval, approvalToSign], { signing: { kind: 'here', signsEveryVote: false } }),
    ).to.contain('signed');
    expect(findBulkVoteBlocker([approval], { signing: { kind: 'here', signsEveryVote: false } })).to.equal(undefined);
    expect(findBulkVoteBlocker([approval], { signing: { kind: 'here', signsEveryVote: true } })).to.contain('signed');
    expect(findBulkVoteBlocker([approval, createApproval({ approvalId: 'b' })], host)).to.equal(undefined);
    expect(findBulkVoteBlocker([approval, createApproval({ riskLevel: 'medium' })], host)).to.contain('low-risk');
    expect(findBulkVoteBlocker([approval, createApproval({ elementId: 'other' })], host)).to.contain('same step');
    expect(
      findBulkVoteBlocker(
        [
          createApproval({ subject: createCallSubject() }),
          createApproval({ subject: createCallSubject({ tool: 'note' }) }),
        ],
        host,
      ),
    ).to.contain('same step');
    expect(
      findBulkVoteBlocker(
        [approval, createApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } })],
        host,
      ),
    ).to.contain('you may decide');
    expect(
      findBulkVoteBlocker(
        Array.from({ length: 101 }, () => approval),
        host,
      ),
    ).to.contain('100');
  });
});
