import { expect } from 'chai';
import { compareWithPins } from './pins.js';
import type { CaseResult, Verdict } from './verdict.js';

function buildResult(id: string, verdict: Verdict): CaseResult {
  return { id, group: 'own', tier: 'core', verdict, details: ['Details.'] };
}

describe('compareWithPins (conformance pins)', () => {
  const pins = { pinned: { verdict: 'refused', reason: 'ADR 99' } } as const;

  it('should accept a right verdict and a pinned verdict', () => {
    expect(compareWithPins(pins, [buildResult('unpinned', 'right'), buildResult('pinned', 'refused')])).to.deep.equal(
      [],
    );
  });

  it('should report a verdict that is worse or better than its pin', () => {
    expect(compareWithPins(pins, [buildResult('unpinned', 'refused')])).to.deep.equal([
      'unpinned: expected right, found refused. Details.',
    ]);
    expect(compareWithPins(pins, [buildResult('pinned', 'wrong')])).to.have.length(1);
    expect(compareWithPins(pins, [buildResult('pinned', 'right')])).to.have.length(1);
  });
});
