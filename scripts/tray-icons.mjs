// Draws the icons that the desktop client shows in the tray and on its button in the task bar, from the parts in tray.svg.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

export const TRAY_SOURCE = fileURLToPath(new URL('../packages/desktop/build/tray.svg', import.meta.url));

/** Electron finds the picture for a screen by the ending of its name. */
const WINDOWS = Object.freeze({ '': 16, '@1.25x': 20, '@1.5x': 24, '@2x': 32, '@3x': 48 });
const MACOS = Object.freeze({ '': 18, '@2x': 36 });
/** Panels of Linux take one picture, and make it smaller as they need it. */
const LINUX = Object.freeze({ '': 44 });

/** Visible on dark and on light panels alike: not every desktop says which it has. */
const LOOKS = Object.freeze({
  'on-light': { shield: '#3354a6', check: '#fff' },
  'on-dark': { shield: '#8fa6e1', check: '#141b2e' },
});
const BADGE = '#c92a2a';
/** The numbers, by the ending of the name, as `icon-names.ts` has it. */
const NUMBERS = Object.freeze({
  ...Object.fromEntries(['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((figure) => [`-${figure}`, [figure]])),
  '-more': ['9', 'plus'],
});

/** @param {string} directory is recreated */
export async function drawTrayIcons(directory) {
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const [parts] = /<defs>.*<\/defs>/s.exec(readFileSync(TRAY_SOURCE, 'utf8')) ?? [];
  if (parts === undefined) throw new Error(`${TRAY_SOURCE} has no <defs>.`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const draw = (name, sizes, body) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${parts}${body}</svg>`;
    for (const [ending, value] of Object.entries(sizes))
      writeFileSync(
        join(directory, `${name}${ending}.png`),
        new Resvg(svg, { fitTo: { mode: 'width', value } }).render().asPng(),
      );
  };
  for (const [look, { shield, check }] of Object.entries(LOOKS)) {
    const picture = `<use href="#shield" fill="${shield}"/><use href="#check" stroke="${check}"/>`;
    for (const [number, figures] of Object.entries({ '': undefined, ...NUMBERS })) {
      const body =
        figures === undefined
          ? picture
          : `<g mask="url(#around-badge)">${picture}</g>${badge(figures, { x: 16.6, y: 7.4, radius: 7.2, dot: figures.length > 1 ? 1.6 : 2 })}`;
      draw(`tray-${look}${number}`, WINDOWS, body);
      draw(`panel-${look}${number}`, LINUX, body);
    }
  }
  // macOS gives it the colour of its menu bar, and writes the number beside it.
  draw('trayTemplate', MACOS, '<use href="#shield" mask="url(#around-check)"/>');
  for (const [number, figures] of Object.entries(NUMBERS))
    draw(`badge${number}`, WINDOWS, badge(figures, { x: 12, y: 12, radius: 11.5, dot: figures.length > 1 ? 2.4 : 3 }));
}

/** A number in a circle. @param {readonly string[]} figures @param dot the side of one dot of a figure */
function badge(figures, { x, y, radius, dot }) {
  const left = x - ((figures.length * 4 - 1) / 2) * dot;
  const number = figures.map((figure, index) => `<use href="#figure-${figure}" x="${index * 4}"/>`).join('');
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${BADGE}"/><g transform="translate(${left} ${y - 2.5 * dot}) scale(${dot})" fill="#fff">${number}</g>`;
}
