/** A point in a square of 24, as the icons of the window are drawn. */
type Point = readonly [number, number];

/** Points on the arc from one point to another. @param side which of the two arcs: 1 or -1 */
function arc([x1, y1]: Point, [x2, y2]: Point, radius: number, side: 1 | -1): Point[] {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const chord = Math.hypot(dx, dy);
  const height = Math.sqrt(Math.max(0, radius * radius - (chord * chord) / 4)) * side;
  const [cx, cy] = [(x1 + x2) / 2 - (dy / chord) * height, (y1 + y2) / 2 + (dx / chord) * height];
  const from = Math.atan2(y1 - cy, x1 - cx);
  let turn = Math.atan2(y2 - cy, x2 - cx) - from;
  if (turn > Math.PI) turn -= 2 * Math.PI;
  if (turn < -Math.PI) turn += 2 * Math.PI;
  return Array.from({ length: 12 }, (_each, step) => [
    cx + radius * Math.cos(from + (turn * step) / 12),
    cy + radius * Math.sin(from + (turn * step) / 12),
  ]);
}

const SHIELD: readonly Point[] = [
  ...arc([12, 2], [21, 5.2], 12.5, -1),
  ...arc([21, 5.2], [12, 22], 13, 1),
  ...arc([12, 22], [3, 5.2], 13, 1),
  ...arc([3, 5.2], [12, 2], 12.5, -1),
];
const CHECK: readonly Point[] = [
  [7.6, 12.2],
  [10.8, 15.4],
  [16.6, 9.2],
];
const CHECK_HALF = 1.25;

export function inShield([x, y]: Point): boolean {
  let inside = false;
  SHIELD.forEach(([x1, y1], index) => {
    const [x2, y2] = SHIELD[(index + 1) % SHIELD.length] ?? [x1, y1];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  });
  return inside;
}

export function inCheck(point: Point): boolean {
  return CHECK.slice(1).some((end, index) => distance(point, CHECK[index] ?? end, end) <= CHECK_HALF);
}

function distance([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

/** Figures of three by five, as rows of bits. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  0: [7, 5, 5, 5, 7],
  1: [2, 6, 2, 2, 7],
  2: [7, 1, 7, 4, 7],
  3: [7, 1, 7, 1, 7],
  4: [5, 5, 7, 1, 1],
  5: [7, 4, 7, 1, 7],
  6: [7, 4, 7, 5, 7],
  7: [7, 1, 1, 2, 2],
  8: [7, 5, 7, 5, 7],
  9: [7, 5, 7, 1, 7],
  '+': [0, 2, 7, 2, 0],
};

/** Whether a point belongs to a number that stands in the middle of a circle. @param dot the side of one dot of a figure */
export function inText([x, y]: Point, text: string, [cx, cy]: Point, dot: number): boolean {
  const width = text.length * 4 - 1;
  const column = Math.floor((x - cx) / dot + width / 2);
  const row = Math.floor((y - cy) / dot + 2.5);
  const glyph = GLYPHS[text[Math.floor(column / 4)] ?? ''];
  return column >= 0 && column % 4 < 3 && glyph !== undefined && ((glyph[row] ?? 0) & (4 >> (column % 4))) !== 0;
}
