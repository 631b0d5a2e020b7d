import { expect } from 'chai';
import { getNextZoomLevel } from './zoom.js';

const toPercent = (level: number): number => Math.round(1.2 ** level * 100);

describe('getNextZoomLevel', () => {
  it('should zoom in, out and back to 100 % in the steps of browsers', () => {
    let level = 0;
    const percentages = [];
    for (const step of ['in', 'in', 'in', 'out', 'out', 'out', 'out'] as const)
      percentages.push(toPercent((level = getNextZoomLevel(level, step))));
    expect(percentages).to.deep.equal([110, 125, 150, 125, 110, 100, 90]);
    expect(getNextZoomLevel(level, 'reset')).to.equal(0);
  });

  it('should not zoom below 50 % or above 500 %', () => {
    let [small, large] = [0, 0];
    for (let steps = 0; steps < 30; steps += 1)
      [small, large] = [getNextZoomLevel(small, 'out'), getNextZoomLevel(large, 'in')];
    expect([toPercent(small), toPercent(large)]).to.deep.equal([50, 500]);
  });
});
