import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Rgb } from '../parse-ansi.js';
import { getContrast, MIN_CONTRAST, PAGE_COLORS } from '../readable-colors.js';

const STYLES = new URL('../../../src/ui/', import.meta.url);
const readStyles = (name: string): string => readFileSync(new URL(name, STYLES), 'utf8');

const toRgb = (hex: string): Rgb => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16));
  return [red, green, blue];
};

describe('syntax.css', () => {
  const [light = '', dark = ''] = readStyles('tones.css').split("[data-mantine-color-scheme='dark']");
  const colors = [...readStyles('syntax/syntax.css').matchAll(/color: var\((--[\w-]+)\)/g)].map(
    ([, name = '']) => name,
  );

  for (const [theme, styles] of [
    ['light', light],
    ['dark', dark],
  ] as const)
    it(`should have colours that can be read on each background of a difference in the ${theme} theme`, () => {
      const readColor = (name: string): Rgb => toRgb(new RegExp(`${name}: (#[0-9a-f]{6});`).exec(styles)?.[1] ?? '');
      const backs = ['--cs-removed-back', '--cs-removed-word', '--cs-added-back', '--cs-added-word'].map(readColor);
      expect(colors).to.have.length(6);
      for (const color of colors)
        for (const back of [PAGE_COLORS[theme].back, ...backs])
          expect(getContrast(readColor(color), back), `${color} on ${back.join()}`).to.be.at.least(MIN_CONTRAST);
    });
});
