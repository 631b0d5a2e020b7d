import { expect } from 'chai';
import { border, drawn, saidBy } from '../lint.spec.support.js';

const said = (...arrows: string[]) => saidBy('no-way-out', drawn(arrows));

describe('Lint: no-way-out', () => {
  it('should name a circle that no way leads out of, once', async () => {
    expect(await said('start > x1', 'x1 > a', 'a > b', 'b > x1')).to.deep.equal(['warning x1']);
    expect(await said('start > x1', 'x1 > a', 'a > x2', 'x2 > x1: =again', 'x2 > e')).to.deep.equal([]);
  });

  it('should name the approval in it, where the model leads every decision round', async () => {
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

  it('should know the ways out by a rejection and by an event', async () => {
    expect(await said('start > x1', 'x1 > ask', 'ask > a', 'a > x1')).to.deep.equal([]);
    expect(
      await saidBy(
        'no-way-out',
        drawn(['start > x1', 'x1 > a', 'a > x1', 'late > e'], border('late', 'a', true), ['late']),
      ),
    ).to.deep.equal([]);
  });
});
