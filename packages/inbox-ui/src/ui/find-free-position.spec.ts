import { expect } from 'chai';
import { findFreePosition, type Area } from './find-free-position.js';

const WINDOW = { width: 1_280, height: 800 };
const SIZE = { width: 440, height: 60 };
const createArea = (left: number, top: number, width = 100, height = 30): Area => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

describe('findFreePosition', () => {
  it('should keep the position if it does not cover the focused element', () => {
    expect(findFreePosition(SIZE, WINDOW, createArea(100, 100), 'top-center')).to.equal('top-center');
    expect(findFreePosition(SIZE, WINDOW, createArea(600, 20), 'bottom-left')).to.equal('bottom-left');
  });

  it('should move to the next free position', () => {
    expect(findFreePosition(SIZE, WINDOW, createArea(600, 20), 'top-center')).to.equal('top-right');
    expect(findFreePosition(SIZE, WINDOW, createArea(600, 20, 600), 'top-center')).to.equal('top-left');
    expect(findFreePosition(SIZE, WINDOW, createArea(0, 0, 1_280, 100), 'top-center')).to.equal('bottom-right');
  });

  it('should choose the position that covers the least if no position is free', () => {
    const small = { width: 320, height: 256 };
    expect(findFreePosition({ width: 288, height: 120 }, small, createArea(0, 0, 320, 156), 'top-center')).to.equal(
      'bottom-right',
    );
  });
});
