export const ZOOM_STEPS = Object.freeze(['in', 'out', 'reset'] as const);
export type ZoomStep = (typeof ZOOM_STEPS)[number];
