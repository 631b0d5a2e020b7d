import { inCheck, inShield, inText } from './icon-shape.js';

type Color = readonly [red: number, green: number, blue: number];

export interface IconLook {
  readonly shield: Color;
  readonly check: Color;
}

/** Seen on dark and on light panels alike: of neither does one know which it is on every desktop. */
export const ICON_LOOKS = Object.freeze({
  onLight: { shield: [0x33, 0x54, 0xa6], check: [0xff, 0xff, 0xff] },
  onDark: { shield: [0x8f, 0xa6, 0xe1], check: [0x14, 0x1b, 0x2e] },
} satisfies Record<string, IconLook>);

const BADGE: Color = [0xc9, 0x2a, 0x2a];
const BADGE_TEXT: Color = [0xff, 0xff, 0xff];
/** Samples along each side of a pixel. */
const FINE = 4;

/** What an icon has room for: above nine it says that there are more. */
export function badgeText(count: number): string {
  return count <= 0 ? '' : count > 9 ? '9+' : String(count);
}

interface Painted {
  readonly color: Color;
  readonly alpha: number;
}

const CLEAR: Painted = { color: [0, 0, 0], alpha: 0 };

/** The shield with a check in it, and how many wait, in the corner. @param size in pixels. @returns BGRA, premultiplied */
export function drawIcon(size: number, { shield, check }: IconLook, count: number): Buffer {
  const text = badgeText(count);
  const center = [16.6, 7.4] as const;
  return raster(size, ([x, y]) => {
    if (text !== '') {
      const far = Math.hypot(x - center[0], y - center[1]);
      if (far <= 7.2)
        return { color: inText([x, y], text, center, text.length > 1 ? 1.6 : 2) ? BADGE_TEXT : BADGE, alpha: 1 };
      if (far <= 8.4) return CLEAR; // a gap, so that the two are told apart
    }
    if (!inShield([x, y])) return CLEAR;
    return { color: inCheck([x, y]) ? check : shield, alpha: 1 };
  });
}

/** Black with a check cut out: macOS gives it the colour of its menu bar, and writes the number beside it. */
export function drawTemplate(size: number): Buffer {
  return raster(size, (point) => (inShield(point) && !inCheck(point) ? { color: [0, 0, 0], alpha: 1 } : CLEAR));
}

/** The number alone, for the corner of the application's own icon (Windows). */
export function drawBadge(size: number, count: number): Buffer {
  const text = badgeText(count);
  return raster(size, ([x, y]) => {
    if (Math.hypot(x - 12, y - 12) > 11.5) return CLEAR;
    return { color: inText([x, y], text, [12, 12], text.length > 1 ? 2.4 : 3) ? BADGE_TEXT : BADGE, alpha: 1 };
  });
}

/** Each pixel as the middle of some samples in it, so that edges are smooth. */
function raster(size: number, paint: (point: readonly [number, number]) => Painted): Buffer {
  const bytes = Buffer.alloc(size * size * 4);
  const step = 24 / (size * FINE);
  const samples = FINE * FINE;
  for (let pixel = 0; pixel < size * size; pixel += 1) {
    const [left, top] = [(pixel % size) * FINE, Math.floor(pixel / size) * FINE];
    let [blue, green, red, alpha] = [0, 0, 0, 0];
    for (let sample = 0; sample < samples; sample += 1) {
      const painted = paint([(left + (sample % FINE) + 0.5) * step, (top + Math.floor(sample / FINE) + 0.5) * step]);
      red += painted.color[0] * painted.alpha;
      green += painted.color[1] * painted.alpha;
      blue += painted.color[2] * painted.alpha;
      alpha += painted.alpha * 255;
    }
    bytes.set(
      [blue, green, red, alpha].map((sum) => Math.round(sum / samples)),
      pixel * 4,
    );
  }
  return bytes;
}
