import type { ZoomStep } from '../../common/zoom.js';

/** Zoom factors from 50 % to 500 %, in the same steps as in browsers. */
const ZOOM_FACTORS = Object.freeze([0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5]);
/** Zoom factor of one Electron level. */
const LEVEL_FACTOR = 1.2;

/** Returns Electron's zoom level after a step. Level 0 is 100 %. */
export function getNextZoomLevel(level: number, step: ZoomStep): number {
  if (step === 'reset') return 0;
  const factor = LEVEL_FACTOR ** level;
  const next =
    step === 'in'
      ? ZOOM_FACTORS.find((each) => each > factor * 1.01)
      : ZOOM_FACTORS.filter((each) => each < factor * 0.99).at(-1);
  return next === undefined ? level : Math.log(next) / Math.log(LEVEL_FACTOR);
}
