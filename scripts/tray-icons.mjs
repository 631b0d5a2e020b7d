// Draws the icons of the desktop client for the tray and its task bar button, from the parts in tray.svg.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

export const TRAY_SOURCE = fileURLToPath(new URL('../packages/desktop/build/tray.svg', import.meta.url));

/** Sizes in pixels, by the suffix of the file name. Electron selects the image for a screen by this suffix. */
const WINDOWS_SIZES = Object.freeze({ '': 16, '@1.25x': 20, '@1.5x': 24, '@2x': 32, '@3x': 48 });
const MACOS_SIZES = Object.freeze({ '': 18, '@2x': 36 });
/** Linux panels take a single image and scale it down. */
const LINUX_SIZES = Object.freeze({ '': 44 });

/**
 * Colours by panel theme. Each variant is visible on light and dark panels, because some desktops do not report their
 * theme.
 */
const THEMES = Object.freeze({
  'on-light': { shield: '#3354a6', check: '#fff' },
  'on-dark': { shield: '#8fa6e1', check: '#141b2e' },
});
const BADGE_COLOUR = '#c92a2a';
/** Figures of each number, by the suffix of the file name that `icon-names.ts` uses. */
const FIGURES_BY_SUFFIX = Object.freeze({
  ...Object.fromEntries(['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((figure) => [`-${figure}`, [figure]])),
  '-more': ['9', 'plus'],
});

/**
 * Draws all icons.
 *
 * @param {string} directory target directory, which is deleted and created again
 */
export async function drawTrayIcons(directory) {
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const [parts] = /<defs>.*<\/defs>/s.exec(readFileSync(TRAY_SOURCE, 'utf8')) ?? [];
  if (parts === undefined) throw new Error(`${TRAY_SOURCE} has no <defs>.`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const writeImages = (name, sizes, body) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${parts}${body}</svg>`;
    for (const [suffix, value] of Object.entries(sizes))
      writeFileSync(
        join(directory, `${name}${suffix}.png`),
        new Resvg(svg, { fitTo: { mode: 'width', value } }).render().asPng(),
      );
  };
  for (const [theme, { shield, check }] of Object.entries(THEMES)) {
    const logo = `<use href="#shield" fill="${shield}"/><use href="#check" stroke="${check}"/>`;
    for (const [number, figures] of Object.entries({ '': undefined, ...FIGURES_BY_SUFFIX })) {
      const body =
        figures === undefined
          ? logo
          : `<g mask="url(#around-badge)">${logo}</g>${drawBadge(figures, { x: 16.6, y: 7.4, radius: 7.2, dot: figures.length > 1 ? 1.6 : 2 })}`;
      writeImages(`tray-${theme}${number}`, WINDOWS_SIZES, body);
      writeImages(`panel-${theme}${number}`, LINUX_SIZES, body);
    }
  }
  // macOS colours the image like its menu bar, and shows the number next to it.
  writeImages('trayTemplate', MACOS_SIZES, '<use href="#shield" mask="url(#around-check)"/>');
  for (const [number, figures] of Object.entries(FIGURES_BY_SUFFIX))
    writeImages(
      `badge${number}`,
      WINDOWS_SIZES,
      drawBadge(figures, { x: 12, y: 12, radius: 11.5, dot: figures.length > 1 ? 2.4 : 3 }),
    );
}

/**
 * Returns the SVG of a number in a circle.
 *
 * @param {readonly string[]} figures
 * @param dot the side length of a dot, of which the figures consist
 */
function drawBadge(figures, { x, y, radius, dot }) {
  const left = x - ((figures.length * 4 - 1) / 2) * dot;
  const number = figures.map((figure, index) => `<use href="#figure-${figure}" x="${index * 4}"/>`).join('');
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${BADGE_COLOUR}"/><g transform="translate(${left} ${y - 2.5 * dot}) scale(${dot})" fill="#fff">${number}</g>`;
}
