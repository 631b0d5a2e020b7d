import { expect } from 'chai';
import { zoomed } from './zoom.js';

const percent = (level: number): number => Math.round(1.2 ** level * 100);

describe('zoomed', () => {
  it('should zoom in, out and back to 100 % in the steps of browsers', () => {
    let level = 0;
    const seen = [];
    for (const step of ['in', 'in', 'in', 'out', 'out', 'out', 'out'] as const)
      seen.push(percent((level = zoomed(level, step))));
    expect(seen).to.deep.equal([110, 125, 150, 125, 110, 100, 90]);
    expect(zoomed(level, 'reset')).to.equal(0);
  });

  it('should not zoom below 50 % or above 500 %', () => {
    let [small, large] = [0, 0];
    for (let steps = 0; steps < 30; steps += 1) [small, large] = [zoomed(small, 'out'), zoomed(large, 'in')];
    expect([percent(small), percent(large)]).to.deep.equal([50, 500]);
  });
});
