import { expect } from 'chai';
import { draftBefore, hasWords, isAbout, type KeptDraft } from './draft-host.js';
import { formFor } from './form-draft.js';
import { aCall, anApproval } from './inbox.spec.support.js';

describe('inbox: saved drafts', () => {
  const approval = anApproval();
  const { approvalId, round, digest } = approval;
  const draft: KeptDraft = {
    approvalId,
    round,
    subjectDigest: digest,
    form: { act: 'reject', comment: 'No.', argumentsText: '' },
  };

  it('should match only the same approval, round and digest', () => {
    expect(isAbout(draft, approval)).to.equal(true);
    for (const other of [{ digest: `sha256:${'f'.repeat(64)}` }, { round: round + 1 }, { approvalId: 'another' }])
      expect(isAbout(draft, { ...approval, ...other }), JSON.stringify(other)).to.equal(false);
  });

  it('should be found for the approval or its successor', () => {
    const kept = new Map([[approvalId, draft]]);
    expect(draftBefore(kept, approval)).to.equal(draft);
    expect(draftBefore(kept, { approvalId: 'next', previousApprovalId: approvalId })).to.equal(draft);
    expect(draftBefore(kept, { approvalId: 'next', previousApprovalId: null })).to.equal(undefined);
  });

  it('should be saved only if it has a comment or edited arguments', () => {
    const call = anApproval({ subject: aCall({ inputs: { to: 'ada' } }) });
    const opened = formFor('edit', call);
    expect([hasWords(opened, call), hasWords({ ...opened, act: 'reject', comment: ' ' }, call)]).to.deep.equal([
      false,
      false,
    ]);
    expect([
      hasWords({ ...opened, comment: 'No.' }, call),
      hasWords({ ...opened, argumentsText: '{' }, call),
    ]).to.deep.equal([true, true]);
  });
});
