import type { AnsiStyle, Rgb } from './parse-ansi.js';

/** Colours of text without a style. `.cs-ansi` has the same ones. */
export const PAGE_COLORS: Readonly<Record<'light' | 'dark', { readonly text: Rgb; readonly back: Rgb }>> = {
  light: { text: [0, 0, 0], back: [248, 249, 250] },
  dark: { text: [201, 201, 201], back: [31, 31, 31] },
};

/** Minimum contrast between a text and its background (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5;

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** Share of the background in the colour of dim text. */
const DIM_SHARE = 0.4;

export interface ReadableColors {
  readonly text: Rgb;
  readonly back: Rgb;
}

/**
 * Returns the colours of a style, such that the text can be read: a colour with too little contrast becomes lighter or
 * darker, so that a text cannot be hidden by the colour of its background.
 */
export function getReadableColors(style: AnsiStyle, theme: 'light' | 'dark'): ReadableColors {
  const page = PAGE_COLORS[theme];
  const [front, behind] = [style.foreground ?? page.text, style.background ?? page.back];
  const [text, back] = style.inverse ? [behind, front] : [front, behind];
  return { text: ensureContrast(style.dim ? mix(text, back, DIM_SHARE) : text, back), back };
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function getContrast(one: Rgb, other: Rgb): number {
  const [first, second] = [getLuminance(one), getLuminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** Number of steps from a colour to black or white. */
const STEPS = 32;

function ensureContrast(text: Rgb, back: Rgb): Rgb {
  const end = getContrast(WHITE, back) >= getContrast(BLACK, back) ? WHITE : BLACK;
  for (let step = 0; step < STEPS; step += 1) {
    const color = mix(text, end, step / STEPS);
    if (getContrast(color, back) >= MIN_CONTRAST) return color;
  }
  return end;
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const mixComponent = (index: 0 | 1 | 2): number => Math.round(one[index] * (1 - share) + other[index] * share);
  return [mixComponent(0), mixComponent(1), mixComponent(2)];
}

function getLuminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((component) => {
    const share = component / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
