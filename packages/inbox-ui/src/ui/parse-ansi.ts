/** A colour: red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Style of text in a terminal (ECMA-48, 8.3.117); `undefined` colours are those of the page. */
export interface AnsiStyle {
  readonly foreground: Rgb | undefined;
  readonly background: Rgb | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strikethrough: boolean;
  readonly inverse: boolean;
}

/** Text with one style. */
export interface AnsiSpan {
  readonly text: string;
  readonly style: AnsiStyle;
}

/** Maximum number of applied sequences, which bounds the time to display any text. The others stay part of the text. */
export const MAX_ANSI_SEQUENCES = 10_000;

export const PLAIN_STYLE: AnsiStyle = Object.freeze({
  foreground: undefined,
  background: undefined,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strikethrough: false,
  inverse: false,
});

const ESCAPE = String.fromCharCode(0x1b);
const SEQUENCE = new RegExp(`${ESCAPE}\\[([\\d;:]{0,100})m`, 'g');

/**
 * Parses the styles in the output of a program (Select Graphic Rendition, `ESC [ … m`). The texts of the spans are the
 * text without these sequences. All other control sequences stay part of the text, because they can hide or replace
 * text in a terminal: cursor movements, erasures, links, titles, and styles that are unknown or conceal text (SGR 8).
 *
 * @returns `undefined` if the text contains no style
 */
export function parseAnsi(text: string): readonly AnsiSpan[] | undefined {
  const spans: AnsiSpan[] = [];
  let style = PLAIN_STYLE;
  let start = 0;
  let count = 0;
  const addSpan = (end: number): void => {
    if (end > start) spans.push({ text: text.slice(start, end), style });
  };
  for (const { 0: sequence, 1: parameters = '', index } of text.matchAll(SEQUENCE)) {
    if (count >= MAX_ANSI_SEQUENCES) {
      // The rest has no style, because not all of its sequences are applied.
      style = PLAIN_STYLE;
      break;
    }
    const end = index + sequence.length;
    const newStyle = isWithinCharacter(text, index, end) ? undefined : applyParameters(style, parameters);
    if (newStyle === undefined) continue;
    count += 1;
    addSpan(index);
    start = end;
    style = newStyle;
  }
  if (count === 0) return undefined;
  addSpan(text.length);
  return spans;
}

/** Returns the beginning of a text. @param length its length, without the sequences of the styles */
export function cutAnsi(spans: readonly AnsiSpan[], length: number): readonly AnsiSpan[] {
  let left = length;
  return spans.flatMap(({ text, style }) => {
    const shownText = text.slice(0, left);
    left -= shownText.length;
    return shownText === '' ? [] : [{ text: shownText, style }];
  });
}

/** Returns whether a sequence separates the halves of a character (a surrogate pair), which would then be displayed. */
function isWithinCharacter(text: string, start: number, end: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(start - 1)) && /[\udc00-\udfff]/.test(text.charAt(end));
}

/** @returns the new style; `undefined` if one of the parameters is not supported */
function applyParameters(before: AnsiStyle, parameters: string): AnsiStyle | undefined {
  let style: AnsiStyle | undefined = before;
  const items = parameters.split(';');
  for (let index = 0; index < items.length && style !== undefined; index += 1) {
    const item = items[index] ?? '';
    const code = Number(item.split(':', 1)[0]);
    if (code === 38 || code === 48) {
      const found: ExtendedColor | undefined = item.includes(':')
        ? readSubparameterColor(item)
        : readExtendedColor(items.slice(index + 1));
      if (found === undefined) return undefined;
      index += found.parameterCount;
      style = { ...style, [code === 38 ? 'foreground' : 'background']: found.color };
    } else style = item.includes(':') ? applyUnderlineKind(style, item) : applyCode(style, code);
  }
  return style;
}

const CHANGES: Readonly<Record<number, Partial<AnsiStyle>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  // Blinking text is displayed without blinking.
  5: {},
  6: {},
  7: { inverse: true },
  9: { strikethrough: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  25: {},
  27: { inverse: false },
  28: {},
  29: { strikethrough: false },
  39: { foreground: undefined },
  49: { background: undefined },
};

function applyCode(style: AnsiStyle, code: number): AnsiStyle | undefined {
  const change = CHANGES[code];
  if (code === 0) return PLAIN_STYLE;
  if (change !== undefined) return { ...style, ...change };
  const [base, tens] = [code % 10, Math.floor(code / 10)];
  const color = PALETTE[tens >= 9 ? base + 8 : base];
  if (color === undefined || base > 7) return undefined;
  if (tens === 3 || tens === 9) return { ...style, foreground: color };
  return tens === 4 || tens === 10 ? { ...style, background: color } : undefined;
}

/** Applies the underlines of newer terminals, such as `4:3` (curly). All are displayed as straight lines. */
function applyUnderlineKind(style: AnsiStyle, item: string): AnsiStyle | undefined {
  const kind = /^4:([0-5])$/.exec(item)?.[1];
  return kind === undefined ? undefined : { ...style, underline: kind !== '0' };
}

interface ExtendedColor {
  readonly color: Rgb;
  readonly parameterCount: number;
}

/** Reads `5;INDEX` or `2;RED;GREEN;BLUE`. */
function readExtendedColor([kind, ...values]: readonly string[]): ExtendedColor | undefined {
  const size = kind === '5' ? 1 : kind === '2' ? 3 : 0;
  const color = toColor(values.slice(0, size));
  return size === 0 || color === undefined ? undefined : { color, parameterCount: size + 1 };
}

/** Reads `38:5:INDEX` or `38:2:SPACE:RED:GREEN:BLUE`; some programs omit the colour space. */
function readSubparameterColor(item: string): ExtendedColor | undefined {
  const [, kind, ...values] = item.split(':');
  const isValid =
    (kind === '5' && values.length === 1) || (kind === '2' && (values.length === 3 || values.length === 4));
  const color = isValid ? toColor(values.slice(values.length === 4 ? 1 : 0)) : undefined;
  return color === undefined ? undefined : { color, parameterCount: 0 };
}

function toColor(values: readonly string[]): Rgb | undefined {
  const numbers = values.map(Number);
  if (!numbers.every((value) => value <= 255)) return undefined;
  const [first = 0, second = 0, third = 0] = numbers;
  if (numbers.length === 3) return [first, second, third];
  return numbers.length === 1 ? getIndexedColor(first) : undefined;
}

/** Colours 0 to 15. */
const PALETTE: readonly Rgb[] = [
  [0, 0, 0],
  [205, 49, 49],
  [16, 124, 16],
  [148, 120, 0],
  [4, 81, 165],
  [168, 30, 168],
  [5, 130, 160],
  [200, 200, 200],
  [102, 102, 102],
  [240, 90, 90],
  [32, 190, 90],
  [230, 200, 30],
  [80, 150, 250],
  [220, 110, 220],
  [40, 190, 220],
  [255, 255, 255],
];

/** Returns one of 256 colours: the palette, a cube with 6 levels of each component, and 24 shades of grey. */
function getIndexedColor(index: number): Rgb | undefined {
  if (index < 16) return PALETTE[index];
  if (index >= 232) {
    const level = 8 + (index - 232) * 10;
    return [level, level, level];
  }
  const toLevel = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const at = index - 16;
  return [toLevel(Math.floor(at / 36)), toLevel(Math.floor(at / 6) % 6), toLevel(at % 6)];
}
