import { expect } from 'chai';
import { boundaryTimer, buildModel, lintWithRule } from '../lint.spec.support.js';

const lintArrows = (...arrows: string[]) => lintWithRule('no-way-out', buildModel(arrows));

describe('Lint: no-way-out', () => {
  it('should report a loop without an exit once', async () => {
    expect(await lintArrows('start > x1', 'x1 > a', 'a > b', 'b > x1')).to.deep.equal(['warning x1']);
    expect(await lintArrows('start > x1', 'x1 > a', 'a > x2', 'x2 > x1: =again', 'x2 > e')).to.deep.equal([]);
  });

  it('should report the approval in a loop if every approval decision stays in the loop', async () => {
    const arrows = [
      'start > x1',
      'x1 > ask',
      'ask > x2',
      'x2 > a: =approval.decision = "approve"',
      'x2 > b',
      'a > x1',
      'b > x1',
    ];

    expect(await lintArrows(...arrows)).to.deep.equal(['warning ask']);
  });

  it('should accept a rejection or a boundary event as an exit from the loop', async () => {
    expect(await lintArrows('start > x1', 'x1 > ask', 'ask > a', 'a > x1')).to.deep.equal([]);
    expect(
      await lintWithRule(
        'no-way-out',
        buildModel(['start > x1', 'x1 > a', 'a > x1', 'late > e'], boundaryTimer('late', 'a', true), ['late']),
      ),
    ).to.deep.equal([]);
  });
});
