import { expect } from 'chai';
import { extendSeenEnd } from './seen-parts.js';

describe('extendSeenEnd', () => {
  it('should extend the beginning that was in view', () => {
    expect(extendSeenEnd(0, { top: 0, bottom: 300, height: 1_000 })).to.equal(300);
    expect(extendSeenEnd(300, { top: 200, bottom: 500, height: 1_000 })).to.equal(500);
    expect(extendSeenEnd(300, { top: 300.6, bottom: 600, height: 1_000 })).to.equal(600);
  });

  it('should not count what was skipped, and keep what was seen', () => {
    expect(extendSeenEnd(300, { top: 400, bottom: 1_000, height: 1_000 })).to.equal(300);
    expect(extendSeenEnd(300, { top: 0, bottom: 200, height: 1_000 })).to.equal(300);
  });

  it('should count nothing while the element is out of view', () => {
    expect(extendSeenEnd(0, { top: 0, bottom: 0, height: 1_000 })).to.equal(0);
    expect(extendSeenEnd(0, { top: 0, bottom: -50, height: 1_000 })).to.equal(0);
  });
});
