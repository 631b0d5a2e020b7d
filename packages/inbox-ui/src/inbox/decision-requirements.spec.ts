import { expect } from 'chai';
import { bulkVoteBlocker } from './bulk-vote-blocker.js';
import { getDecisionRequirements, evidenceKey } from './decision-requirements.js';
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
      unopened: ['notes'],
      confirm: true,
    });
    expect(getDecisionRequirements(risky, 'approve', '', new Set([evidenceKey(notes)]))).to.deep.equal({
      commentMissing: false,
      unopened: [],
      confirm: true,
    });
    expect(getDecisionRequirements({ ...risky, riskLevel: 'critical' }, 'approve', '', new Set()).confirm).to.equal(
      true,
    );
  });

  it('should count evidence as unopened if another version was opened', () => {
    expect(
      getDecisionRequirements(risky, 'approve', '', new Set([evidenceKey({ ...notes, sha256: 'older' })])).unopened,
    ).to.deep.equal(['notes']);
  });

  it('should require no confirmation or opened evidence at lower risk or for a rejection', () => {
    for (const riskLevel of ['low', 'medium'] as const)
      expect(getDecisionRequirements({ ...risky, riskLevel }, 'approve', '', new Set())).to.deep.equal({
        commentMissing: false,
        unopened: [],
        confirm: false,
      });
    expect(getDecisionRequirements(risky, 'reject', '', new Set())).to.deep.equal({
      commentMissing: false,
      unopened: [],
      confirm: false,
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
    expect(bulkVoteBlocker([one, signed], host)).to.contain('signed');
    expect(bulkVoteBlocker([one, signed], { signing: { kind: 'here', signsEveryVote: false } })).to.contain('signed');
    expect(bulkVoteBlocker([one], { signing: { kind: 'here', signsEveryVote: false } })).to.equal(undefined);
    expect(bulkVoteBlocker([one], { signing: { kind: 'here', signsEveryVote: true } })).to.contain('signed');
    expect(bulkVoteBlocker([one, createApproval({ approvalId: 'b' })], host)).to.equal(undefined);
    expect(bulkVoteBlocker([one, createApproval({ riskLevel: 'medium' })], host)).to.contain('low-risk');
    expect(bulkVoteBlocker([one, createApproval({ elementId: 'other' })], host)).to.contain('same step');
    expect(
      bulkVoteBlocker(
        [
          createApproval({ subject: createCallSubject() }),
          createApproval({ subject: createCallSubject({ tool: 'note' }) }),
        ],
        host,
      ),
    ).to.contain('same step');
    expect(
      bulkVoteBlocker([one, createApproval({ canDecide: { allowed: false, reasons: ['self_approval'] } })], host),
    ).to.contain('you may decide');
    expect(
      bulkVoteBlocker(
        Array.from({ length: 101 }, () => one),
        host,
      ),
    ).to.contain('100');
  });
});
