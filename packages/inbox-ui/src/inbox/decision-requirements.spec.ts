import { expect } from 'chai';
import { findBulkVoteBlocker } from './find-bulk-vote-blocker.js';
import { getDecisionRequirements, getEvidenceKey } from './decision-requirements.js';
import { createCallSubject, createApproval } from './inbox.spec.support.js';

const notes = { name: 'notes', version: 2, sha256: 'abc' };
const risky = createApproval({
  riskLevel: 'high',
  subject: createCallSubject({ evidence: [notes, { name: 'absent', version: null, sha256: null }] }),
});

describe('inbox: requirements of a decision', () => {
  it('should require opened evidence and a confirmation for an approval at high risk', () => {
    expect(getDecisionRequirements(risky, 'approve', '', new Set())).to.deep.equal({
      commentMissing: false,
      unopenedEvidence: ['notes'],
      needsConfirmation: true,
    });
    expect(getDecisionRequirements(risky, 'approve', '', new Set([getEvidenceKey(notes)]))).to.deep.equal({
      commentMissing: false,
      unopenedEvidence: [],
      needsConfirmation: true,
    });
    expect(
      getDecisionRequirements({ ...risky, riskLevel: 'critical' }, 'approve', '', new Set()).needsConfirmation,
    ).to.equal(true);
  });

  it('should count evidence as unopened if another version was opened', () => {
    expect(
      getDecisionRequirements(risky, 'approve', '', new Set([getEvidenceKey({ ...notes, sha256: 'older' })]))
        .unopenedEvidence,
    ).to.deep.equal(['notes']);
  });

  it('should require no confirmation or opened evidence at lower risk or for a rejection', () => {
    for (const riskLevel of ['low', 'medium'] as const)
      expect(getDecisionRequirements({ ...risky, riskLevel }, 'approve', '', new Set())).to.deep.equal({
        commentMissing: false,
        unopenedEvidence: [],
        needsConfirmation: false,
      });
    expect(getDecisionRequirements(risky, 'reject', '', new Set())).to.deep.equal({
      commentMissing: false,
      unopenedEvidence: [],
      needsConfirmation: false,
    });
  });

  it('should require a comment for a request for changes', () => {
    expect(getDecisionRequirements(risky, 'request_changes', ' \n', new Set()).commentMissing).to.equal(true);
    expect(getDecisionRequirements(risky, 'request_changes', 'Name it.', new Set()).commentMissing).to.equal(false);
  });

  it('should allow a bulk approval only for low-risk approvals of one step that the user may decide unsigned', () => {
    const host = { signing: { kind: 'elsewhere' } } as const;
    const one = createApproval();
    const signed = createApproval({ signatureRequired: true });
    expect(findBulkVoteBlocker([one, signed], host)).to.contain('signed');
    expect(findBulkVoteBlocker([one, signed], { signing: { kind: 'here', signsEveryVote: false } })).to.contain(
      'signed',
    );
    expect(findBulkVoteBlocker([one], { signing: { kind: 'here', signsEveryVote: false } })).to.equal(undefined);
    expect(findBulkVoteBlocker([one], { signing: { kind: 'here', signsEveryVote: true } })).to.contain('signed');
    expect(findBulkVoteBlocker([one, createApproval({ approvalId: 'b' })], host)).to.equal(undefined);
    expect(findBulkVoteBlocker([one, createApproval({ riskLevel: 'medium' })], host)).to.contain('low-risk');
    expect(findBulkVoteBlocker([one, createApproval({ elementId: 'other' })], host)).to.contain('same step');
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
      findBulkVoteBlocker([one, createApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } })], host),
    ).to.contain('you may decide');
    expect(
      findBulkVoteBlocker(
        Array.from({ length: 101 }, () => one),
        host,
      ),
    ).to.contain('100');
  });
});
