import { expect } from 'chai';
import { createApproval, createQuestion } from './inbox.spec.support.js';
import { interleaveLists } from './interleave-lists.js';
import { getItemId } from './listed-item.js';

describe('interleaveLists', () => {
  const [high, medium, low] = (['high', 'medium', 'low'] as const).map((riskLevel) =>
    createApproval({ approvalId: riskLevel, riskLevel }),
  ) as [ReturnType<typeof createApproval>, ReturnType<typeof createApproval>, ReturnType<typeof createApproval>];
  const soon = createQuestion({ questionId: 'soon', dueAt: '2026-11-23T00:00:00.000Z' });
  const never = createQuestion({ questionId: 'never', askedAt: '2026-11-23T00:00:00.000Z' });
  const interleave = (approvals: (typeof low)[], moreApprovals: boolean, moreQuestions: boolean): string[] =>
    interleaveLists([
      { items: approvals, hasMore: moreApprovals },
      { items: [soon, never], hasMore: moreQuestions },
    ]).map(getItemId);

  it('should return the items of all lists in one order', () => {
    expect(interleave([high, medium, low], false, false)).to.deep.equal(['high', 'soon', 'medium', 'never', 'low']);
  });

  it('should leave out what comes after the end of a list that has more pages', () => {
    expect(interleave([high, medium], true, false)).to.deep.equal(['high', 'soon', 'medium']);
    expect(interleave([high, medium, low], false, true)).to.deep.equal(['high', 'soon', 'medium', 'never']);
    expect(interleave([high], true, true)).to.deep.equal(['high']);
  });

  it('should leave out nothing because of a list whose first page is empty', () => {
    expect(interleave([], true, false)).to.deep.equal(['soon', 'never']);
  });
});
