import type { CSSProperties } from 'react';

/** A diagram that is this many times as wide as high is seen larger above what belongs to it than beside it. */
const WIDE = 2.4;
/** In px of the model; what is narrower is drawn at its full size in either place. */
const NARROW = 620;

/** What the parent of a diagram and its list says of itself (diagram-layout.css). */
export interface DiagramLayout {
  readonly 'data-above': boolean;
  /** Its shape, width to height, as `--cs-ratio`. */
  readonly 'style': CSSProperties;
}

/** Where a diagram is best seen, known before it is drawn: from the places that its model names (BPMN 2.0, 12.2, DI). */
export function diagramLayout(xml: string): DiagramLayout {
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
    'data-above': ratio > WIDE && right - left > NARROW,
    'style': { '--cs-ratio': Math.min(12, Math.round(ratio * 100) / 100) } as CSSProperties,
  };
}
