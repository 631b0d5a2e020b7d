import { expect } from 'chai';
import { fitWindowBounds } from './window-state.js';

const SCREENS = [
  { x: 0, y: 0, width: 1_920, height: 1_080 },
  { x: 1_920, y: 0, width: 1_280, height: 1_024 },
];

describe('fitWindowBounds', () => {
  it('should restore the saved position and size', () => {
    const saved = { x: 2_000, y: 50, width: 900, height: 700 };
    expect(fitWindowBounds(saved, SCREENS)).to.deep.equal(saved);
  });

  it('should move the window to an existing screen and fit its size to the screen', () => {
    expect(fitWindowBounds({ x: 5_000, y: 50, width: 900, height: 700 }, SCREENS)).to.deep.equal({
      width: 900,
      height: 700,
    });
    expect(fitWindowBounds({ x: 0, y: 0, width: 9_000, height: 10 }, SCREENS)).to.deep.equal({
      x: 0,
      y: 0,
      width: 1_920,
      height: 480,
    });
    expect(fitWindowBounds(undefined, SCREENS)).to.deep.equal({ width: 1_280, height: 860 });
  });
});
