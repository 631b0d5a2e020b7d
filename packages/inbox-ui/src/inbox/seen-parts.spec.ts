import { expect } from 'chai';
import { extendSeenPart, type SeenPart } from './seen-parts.js';

const seen = (end: number, height = 1_000, width = 500): SeenPart => ({ end, height, width });

describe('extendSeenPart', () => {
  it('should extend the beginning that was in view', () => {
    expect(extendSeenPart(undefined, { top: 0, bottom: 300, height: 1_000 }, 500)).to.deep.equal(seen(300));
    expect(extendSeenPart(seen(300), { top: 200, bottom: 500, height: 1_000 }, 500).end).to.equal(500);
    expect(extendSeenPart(seen(300), { top: 300.6, bottom: 600, height: 1_000 }, 500).end).to.equal(600);
  });

  it('should not count what was skipped, and keep what was seen', () => {
    expect(extendSeenPart(seen(300), { top: 400, bottom: 1_000, height: 1_000 }, 500).end).to.equal(300);
    expect(extendSeenPart(seen(300), { top: 0, bottom: 200, height: 1_000 }, 500).end).to.equal(300);
  });

  it('should count nothing while the element is out of view', () => {
    expect(extendSeenPart(undefined, { top: 0, bottom: 0, height: 1_000 }, 500).end).to.equal(0);
    expect(extendSeenPart(undefined, { top: 0, bottom: -50, height: 1_000 }, 500).end).to.equal(0);
  });

  it('should keep the seen end when the element is unfolded, and the seen share when its layout changes', () => {
    const outOfView = (height: number) => ({ top: 900, bottom: 800, height });
    expect(extendSeenPart(seen(600), outOfView(9_000), 500).end).to.equal(600);
    expect(extendSeenPart(seen(600), outOfView(500), 500).end).to.equal(300);
    expect(extendSeenPart(seen(600), outOfView(2_000), 250).end).to.equal(1_200);
  });
});
