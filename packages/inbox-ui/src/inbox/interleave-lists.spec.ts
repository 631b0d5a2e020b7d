import { expect } from 'chai';
import { createApproval, createQuestion } from './inbox.spec.support.js';
import { findListToContinue, interleaveLists, type LoadedList } from './interleave-lists.js';
import { getItemId } from './listed-item.js';

const [high, medium, low] = (['high', 'medium', 'low'] as const).map((riskLevel) =>
  createApproval({ approvalId: riskLevel, riskLevel }),
) as [ReturnType<typeof createApproval>, ReturnType<typeof createApproval>, ReturnType<typeof createApproval>];
const soon = createQuestion({ questionId: 'soon', dueAt: '2026-11-23T00:00:00.000Z' });
const never = createQuestion({ questionId: 'never', askedAt: '2026-11-23T00:00:00.000Z' });
const load = (items: LoadedList['items'], hasMore = false): LoadedList => ({ items, hasMore });

describe('interleaveLists', () => {
  const interleave = (approvals: LoadedList, questions: LoadedList): string[] =>
    interleaveLists(approvals, questions).map(getItemId);

  it('should return approvals and questions in one order', () => {
    expect(interleave(load([high, medium, low]), load([soon, never]))).to.deep.equal([
      'high',
      'soon',
      'medium',
      'never',
      'low',
    ]);
  });

  it('should leave out questions after the end of approvals that have more pages', () => {
    expect(interleave(load([high, medium], true), load([soon, never]))).to.deep.equal(['high', 'soon', 'medium']);
    expect(interleave(load([high], true), load([soon, never], true))).to.deep.equal(['high']);
  });

  it('should never leave out an approval, also while further questions arrive', () => {
    expect(interleave(load([high, medium, low]), load([soon], true))).to.deep.equal(['high', 'soon', 'medium', 'low']);
    expect(interleave(load([high, low], true), load([soon], true))).to.deep.equal(['high', 'soon', 'low']);
  });

  it('should leave out nothing if the first page of approvals is empty', () => {
    expect(interleave(load([], true), load([soon, never]))).to.deep.equal(['soon', 'never']);
  });
});

describe('findListToContinue', () => {
  it('should return the approvals while a loaded question waits for them', () => {
    expect(findListToContinue(load([high], true), load([soon]))).to.equal('approvals');
    expect(findListToContinue(load([high], true), load([soon], true))).to.equal('approvals');
    expect(findListToContinue(load([high, low], true), load([soon]))).to.equal(undefined);
  });

  it('should return the questions while further ones may belong among the loaded approvals', () => {
    expect(findListToContinue(load([high, low], true), load([soon], true))).to.equal('questions');
    expect(findListToContinue(load([low]), load([soon], true))).to.equal('questions');
    expect(findListToContinue(load([low]), load([soon]))).to.equal(undefined);
  });
});
