import { expect } from 'chai';
import { growViewedLayouts, type ViewedLayouts } from './viewed-layouts.js';

const part = (top: number, bottom: number, height: number) => ({ top, bottom, height });

describe('growViewedLayouts', () => {
  it('should increase the share of a layout with the parts in view', () => {
    const first = growViewedLayouts([], part(0, 250, 1_000), 600, 0);
    expect(first).to.deep.equal([{ width: 600, height: 1_000, share: 0.25, seenWidth: 0 }]);
    expect(growViewedLayouts(first, part(200, 500, 1_000.6), 600.4, 0)).to.deep.equal([
      { width: 600, height: 1_000, share: 500 / 1_000.6, seenWidth: 0 },
    ]);
  });

  it('should return the same layouts if nothing changes', () => {
    const layouts = growViewedLayouts([], part(0, 250, 1_000), 600, 100);
    expect(growViewedLayouts(layouts, part(0, 200, 1_000), 600, 50)).to.equal(layouts);
    expect(growViewedLayouts(layouts, part(0, 0, 0), 600, 0), 'not displayed').to.equal(layouts);
  });

  it('should start again in another layout, and continue in an earlier one', () => {
    // given
    const wide = growViewedLayouts([], part(0, 500, 1_000), 600, 0);
    // when: the window becomes narrow, and then wide
    const narrow = growViewedLayouts(wide, part(1_000, 1_500, 2_000), 300, 0);
    const wideAgain = growViewedLayouts(narrow, part(450, 900, 1_000), 600, 0);
    // then
    expect(narrow.map(({ share }) => share)).to.deep.equal([0, 0.5]);
    expect(wideAgain.map(({ width, share }) => [width, share])).to.deep.equal([
      [600, 0.9],
      [300, 0],
    ]);
  });

  it('should start again if only the height changes', () => {
    const short = growViewedLayouts([], part(0, 1_000, 1_000), 600, 0);
    expect(growViewedLayouts(short, part(0, 500, 4_000), 600, 0)[0]).to.include({ height: 4_000, share: 0.125 });
  });

  it('should keep the width that was in view per layout', () => {
    const wide = growViewedLayouts([], part(0, 500, 1_000), 600, 900);
    expect(growViewedLayouts(wide, part(0, 500, 1_000), 600, 700)[0]?.seenWidth).to.equal(900);
    expect(growViewedLayouts(wide, part(0, 500, 1_500), 600, 700)[0]?.seenWidth).to.equal(700);
  });

  it('should keep only the latest layouts', () => {
    let layouts: ViewedLayouts = [];
    for (let width = 0; width < 300; width += 10) layouts = growViewedLayouts(layouts, part(0, 10, 20), width, 0);
    expect(layouts).to.have.length(12);
    expect(layouts[0]?.width).to.equal(290);
  });
});
