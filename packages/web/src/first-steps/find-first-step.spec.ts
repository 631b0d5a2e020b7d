import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { findFirstStep } from './find-first-step.js';

const createApproval = (allowed: boolean): Approval => ({ canDecide: { allowed, reasons: [] } }) as unknown as Approval;

describe('first steps: the next step', () => {
  const cases = [
    ['working', 'active', undefined, false],
    ['waiting', 'blocked', undefined, false],
    ['failed', 'failed', undefined, false],
    ['otherPerson', 'blocked', createApproval(false), false],
    ['decide', 'blocked', createApproval(true), false],
    ['voted', 'blocked', createApproval(true), true],
  ] as const;
  for (const [kind, status, approval, hasPendingVote] of cases)
    it(`should be ${kind}`, () => {
      expect(findFirstStep({ outcome: null, status }, approval, hasPendingVote).kind).to.equal(kind);
    });

  it('should be the evidence once the run has ended, although its approval is still displayed as pending', () => {
    expect(findFirstStep({ outcome: 'completed', status: 'completed' }, createApproval(true), true)).to.deep.equal({
      kind: 'ended',
    });
  });
});
