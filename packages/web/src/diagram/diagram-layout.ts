import type { CSSProperties } from 'react';

/** Width-to-height ratio above which a diagram has more space above its details than beside them. */
const MIN_WIDE_RATIO = 2.4;
/** Width in px of the BPMN model. Diagrams up to this width are drawn at full size in either layout. */
const MAX_NARROW_WIDTH_PX = 620;

/** Attributes for the parent of a diagram and its list (diagram-layout.css). */
export interface DiagramLayout {
  readonly 'data-above': boolean;
  /** Width-to-height ratio, as `--cs-ratio`. */
  readonly 'style': CSSProperties;
}

/** Computes the layout of a diagram before it is drawn, from the bounds in the BPMN model (BPMN 2.0, 12.2, DI). */
export function computeDiagramLayout(xml: string): DiagramLayout {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [tag] of xml.matchAll(/<[\w.-]{1,40}:Bounds\s[^>]{1,300}>/g)) {
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) =>
      Number(new RegExp(`\\s${name}="([^"]{1,20})"`).exec(tag)?.[1]),
    );
    if (
      x === undefined ||
      y === undefined ||
      width === undefined ||
      height === undefined ||
      !Number.isFinite(x + y + width + height)
    )
      continue;
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x + width),
      Math.max(bottom, y + height),
    ];
  }
  const ratio = right > left && bottom > top ? (right - left) / (bottom - top) : 1;
  return {
    'data-above': ratio > MIN_WIDE_RATIO && right - left > MAX_NARROW_WIDTH_PX,
    'style': { '--cs-ratio': Math.min(12, Math.round(ratio * 100) / 100) } as CSSProperties,
  };
}
