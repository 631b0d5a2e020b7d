import { expect } from 'chai';
import { zoomed } from './zoom.js';

const percent = (level: number): number => Math.round(1.2 ** level * 100);

describe('zoomed', () => {
  it('should go in and out by the steps of browsers, and back', () => {
    let level = 0;
    const seen = [];
    for (const step of ['in', 'in', 'in', 'out', 'out', 'out', 'out'] as const)
      seen.push(percent((level = zoomed(level, step))));
    expect(seen).to.deep.equal([110, 125, 150, 125, 110, 100, 90]);
    expect(zoomed(level, 'reset')).to.equal(0);
  });

  it('should go no further than 50 % and 500 %', () => {
    let [small, large] = [0, 0];
    for (let steps = 0; steps < 30; steps += 1) [small, large] = [zoomed(small, 'out'), zoomed(large, 'in')];
    expect([percent(small), percent(large)]).to.deep.equal([50, 500]);
  });
});
