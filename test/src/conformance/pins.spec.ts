import { expect } from 'chai';
import { compareWithPins } from './pins.js';
import type { CaseResult, Verdict } from './verdict.js';

function result(id: string, verdict: Verdict): CaseResult {
  return { id, group: 'own', tier: 'core', verdict, details: ['so it is'] };
}

describe('compareWithPins (conformance pins)', () => {
  const pins = { late: { verdict: 'refused', reason: 'ADR 99' } } as const;

  it('should accept a right verdict and a pinned verdict', () => {
    expect(compareWithPins(pins, [result('plain', 'right'), result('late', 'refused')])).to.deep.equal([]);
  });

  it('should report a verdict that is worse or better than its pin', () => {
    expect(compareWithPins(pins, [result('plain', 'refused')])).to.deep.equal([
      'plain: expected right, found refused. so it is',
    ]);
    expect(compareWithPins(pins, [result('late', 'wrong')])).to.have.length(1);
    expect(compareWithPins(pins, [result('late', 'right')])).to.have.length(1);
  });
});
