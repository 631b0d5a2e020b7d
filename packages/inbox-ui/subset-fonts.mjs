import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { subsetFont } from './subset-font.mjs';

/** The weights that the styles use. */
const WEIGHTS = Object.freeze({ min: 400, max: 700, default: 400 });
/**
 * The OpenType features in use: kerning, accents and digits of equal width. Without `calt`, which draws `->` as an arrow,
 * so that users see the characters that a text contains.
 */
const FEATURES = Object.freeze(['ccmp', 'kern', 'locl', 'mark', 'mkmk', 'tnum']);

const FACES = /[/\\]@fontsource-variable[/\\]inter[/\\]wght\.css$/;
/** The reduced fonts. Vite names them by their content, so that browsers load them again after a change. */
const outputFolder = fileURLToPath(new URL('./dist/fonts/', import.meta.url));

/** Vite plugin that reduces the fonts to what the styles use. No character is removed. */
export const subsetFonts = {
  name: 'subset-fonts',
  enforce: 'pre',
  async transform(css, id) {
    const path = id.replace(/\?.*$/, '');
    if (!FACES.test(path)) return undefined;
    const faces = [...css.matchAll(/url\(([^)]+)\)[^}]*?unicode-range: ([^;]+);/g)];
    if (faces.length === 0) throw new Error(`${path} has no fonts with a range of characters.`);
    mkdirSync(outputFolder, { recursive: true });
    let reducedCss = css;
    for (const [, file, range] of faces)
      reducedCss = reducedCss.replace(file, JSON.stringify(await reduce(join(dirname(path), file), range)));
    return { code: reducedCss, map: null };
  },
};

/** Writes the reduced font, and returns its file. */
async function reduce(file, range) {
  const font = await subsetFont(readFileSync(file), {
    text: listCharacters(range),
    features: FEATURES,
    axes: { wght: WEIGHTS },
  });
  const output = join(outputFolder, basename(file));
  writeFileSync(output, font);
  return output;
}

/** Returns the characters of a `unicode-range` in CSS, for example `U+0000-00FF,U+0131`. */
function listCharacters(ranges) {
  return ranges
    .split(',')
    .flatMap((range) => {
      const [first, last = first] = range
        .trim()
        .replace(/^U\+/i, '')
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
    })
    .join('');
}
