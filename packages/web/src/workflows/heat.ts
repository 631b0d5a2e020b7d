import type { ElementStatistics } from '@countersign/contract';

export const MEASURES = Object.freeze(['entered', 'median', 'p95', 'failures', 'rejections'] as const);
export type Measure = (typeof MEASURES)[number];

/** How many shades there are; the least one is for the least that is not nothing. */
export const HEAT_STEPS = 5;

/** What an element has of a measure; `undefined` where there is nothing to measure. Durations are in ms. */
export function valueOf(element: ElementStatistics, measure: Measure): number | undefined {
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

export interface Heat {
  readonly elementId: string;
  readonly value: number;
  /** From 1 to `HEAT_STEPS`; 0 for nothing. */
  readonly step: number;
}

/** The shade of each element. Durations differ by orders of magnitude, so their shades are by the logarithm; counts are in proportion. */
export function heatOf(elements: readonly ElementStatistics[], measure: Measure): readonly Heat[] {
  const values = elements.flatMap((element) => {
    const value = valueOf(element, measure);
    return value === undefined ? [] : [{ elementId: element.elementId, value }];
  });
  const most = Math.max(0, ...values.map(({ value }) => value));
  const scale = isDuration(measure)
    ? (value: number) => Math.log1p(value) / Math.log1p(most)
    : (value: number) => value / most;
  return values.map((each) => ({
    ...each,
    step: each.value === 0 || most === 0 ? 0 : Math.max(1, Math.ceil(scale(each.value) * HEAT_STEPS)),
  }));
}

/** The least value of each shade, for the legend. */
export function heatLegend(
  heat: readonly Heat[],
): readonly { readonly step: number; readonly from: number; readonly to: number }[] {
  return Array.from({ length: HEAT_STEPS }, (_, index) => index + 1).flatMap((step) => {
    const values = heat.filter((each) => each.step === step).map(({ value }) => value);
    return values.length === 0 ? [] : [{ step, from: Math.min(...values), to: Math.max(...values) }];
  });
}

export function isDuration(measure: Measure): boolean {
  return measure === 'median' || measure === 'p95';
}
