import type { ElementStatistics } from '@countersign/contract';

export const MEASURES = Object.freeze(['entered', 'median', 'p95', 'failures', 'rejections'] as const);
export type Measure = (typeof MEASURES)[number];

/** Number of shades; the lightest is for the smallest value above zero. */
export const SHADE_COUNT = 5;

/** Returns the value of a measure for an element, in ms for durations; `undefined` if there is nothing to measure. */
export function getMeasuredValue(element: ElementStatistics, measure: Measure): number | undefined {
  switch (measure) {
    case 'entered':
      return element.entered;
    case 'median':
      return element.durationMs.median ?? undefined;
    case 'p95':
      return element.durationMs.p95 ?? undefined;
    case 'failures':
      return element.failed;
    case 'rejections':
      return element.approvals?.rejected;
  }
}

export interface ElementHeat {
  readonly elementId: string;
  readonly value: number;
  /** Shade from 1 to `SHADE_COUNT`; 0 if the value is 0. */
  readonly shade: number;
}

/**
 * Returns the shade of each element that has a value. Shades of durations are logarithmic, because durations differ by
 * orders of magnitude; shades of counts are proportional.
 */
export function computeHeat(elements: readonly ElementStatistics[], measure: Measure): readonly ElementHeat[] {
  const values = elements.flatMap((element) => {
    const value = getMeasuredValue(element, measure);
    return value === undefined ? [] : [{ elementId: element.elementId, value }];
  });
  const max = Math.max(0, ...values.map(({ value }) => value));
  const scale = isDurationMeasure(measure)
    ? (value: number) => Math.log1p(value) / Math.log1p(max)
    : (value: number) => value / max;
  return values.map((each) => ({
    ...each,
    shade: each.value === 0 || max === 0 ? 0 : Math.max(1, Math.ceil(scale(each.value) * SHADE_COUNT)),
  }));
}

/** Returns the value range of each shade, for the legend. */
export function buildHeatLegend(
  heat: readonly ElementHeat[],
): readonly { readonly shade: number; readonly from: number; readonly to: number }[] {
  return Array.from({ length: SHADE_COUNT }, (_, index) => index + 1).flatMap((shade) => {
    const values = heat.filter((each) => each.shade === shade).map(({ value }) => value);
    return values.length === 0 ? [] : [{ shade, from: Math.min(...values), to: Math.max(...values) }];
  });
}

export function isDurationMeasure(measure: Measure): boolean {
  return measure === 'median' || measure === 'p95';
}
