import { expect } from 'chai';
import { border, drawn, saidBy } from '../lint.spec.support.js';

const said = (...arrows: string[]) => saidBy('no-way-out', drawn(arrows));

describe('Lint: no-way-out', () => {
  it('should report a loop without an exit once', async () => {
    expect(await said('start > x1', 'x1 > a', 'a > b', 'b > x1')).to.deep.equal(['warning x1']);
    expect(await said('start > x1', 'x1 > a', 'a > x2', 'x2 > x1: =again', 'x2 > e')).to.deep.equal([]);
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

    expect(await said(...arrows)).to.deep.equal(['warning ask']);
  });

  it('should accept a rejection or a boundary event as an exit from the loop', async () => {
    expect(await said('start > x1', 'x1 > ask', 'ask > a', 'a > x1')).to.deep.equal([]);
    expect(
      await saidBy(
        'no-way-out',
        drawn(['start > x1', 'x1 > a', 'a > x1', 'late > e'], border('late', 'a', true), ['late']),
      ),
    ).to.deep.equal([]);
  });
});
