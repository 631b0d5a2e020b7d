import { expect } from 'chai';
import { findStoredDraft, hasContent, isDraftFor, type StoredDraft } from './draft-host.js';
import { buildFormDraft } from './form-draft.js';
import { createCallSubject, createApproval } from './inbox.spec.support.js';

describe('inbox: saved drafts', () => {
  const approval = createApproval();
  const { approvalId, round, digest } = approval;
  const draft: StoredDraft = {
    approvalId,
    round,
    subjectDigest: digest,
    form: { act: 'reject', comment: 'Wrong version.', argumentsText: '' },
  };

  it('should match only the same approval, round and digest', () => {
    expect(isDraftFor(draft, approval)).to.equal(true);
    for (const difference of [{ digest: `sha256:${'f'.repeat(64)}` }, { round: round + 1 }, { approvalId: 'another' }])
      expect(isDraftFor(draft, { ...approval, ...difference }), JSON.stringify(difference)).to.equal(false);
  });

  it('should be found for the approval or its successor', () => {
    const storedDrafts = new Map([[approvalId, draft]]);
    expect(findStoredDraft(storedDrafts, approval)).to.equal(draft);
    expect(findStoredDraft(storedDrafts, { approvalId: 'next', previousApprovalId: approvalId })).to.equal(draft);
    expect(findStoredDraft(storedDrafts, { approvalId: 'next', previousApprovalId: null })).to.equal(undefined);
  });

  it('should be saved only if it has a comment or edited arguments', () => {
    const call = createApproval({ subject: createCallSubject({ inputs: { to: 'ada' } }) });
    const unchangedDraft = buildFormDraft('edit', call);
    expect([
      hasContent(unchangedDraft, call),
      hasContent({ ...unchangedDraft, act: 'reject', comment: ' ' }, call),
    ]).to.deep.equal([false, false]);
    expect([
      hasContent({ ...unchangedDraft, comment: 'Wrong version.' }, call),
      hasContent({ ...unchangedDraft, argumentsText: '{' }, call),
    ]).to.deep.equal([true, true]);
  });
});
