import { expect } from 'chai';
import { parseAnsi, PLAIN_STYLE } from './parse-ansi.js';
import { getContrast, getReadableColors, MIN_CONTRAST, PAGE_COLORS } from './readable-colors.js';

/** Returns the style that a sequence sets. */
const readStyle = (parameters: string) => parseAnsi(`\u001b[${parameters}mx`)?.[0]?.style ?? PLAIN_STYLE;

describe('getReadableColors', () => {
  it('should compute the contrast of WCAG', () => {
    expect(getContrast([0, 0, 0], [255, 255, 255])).to.equal(21);
    expect(getContrast([255, 255, 255], [118, 118, 118])).to.be.closeTo(4.54, 0.01);
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`should return enough contrast for every pair of indexed colours in the ${theme} theme`, () => {
      for (let text = 0; text < 256; text += text < 16 ? 1 : 5)
        for (let back = -1; back < 256; back += back < 15 ? 1 : 8)
          for (const flags of ['', ';2', ';7']) {
            const style = readStyle(`38;5;${text}${back < 0 ? '' : `;48;5;${back}`}${flags}`);
            const colors = getReadableColors(style, theme);
            if (getContrast(colors.text, colors.back) < MIN_CONTRAST)
              expect.fail(`${text} on ${back}${flags}: ${colors.text.join()} on ${colors.back.join()}`);
          }
    });

    it(`should change no colour that can be read in the ${theme} theme`, () => {
      const { text, back } = PAGE_COLORS[theme];
      expect(getReadableColors(PLAIN_STYLE, theme)).to.deep.equal({ text, back });
      expect(getReadableColors(readStyle('7'), theme)).to.deep.equal({ text: back, back: text });
      expect(getReadableColors(readStyle('38;2;255;255;255;48;2;0;0;0'), theme)).to.deep.equal({
        text: [255, 255, 255],
        back: [0, 0, 0],
      });
    });
  }

  it('should show a text in the colour of its background', () => {
    for (const parameters of ['30;40', '38;2;128;128;128;48;2;128;128;128', '37;47;2', '7;41;31'])
      for (const theme of ['light', 'dark'] as const) {
        const { text, back } = getReadableColors(readStyle(parameters), theme);
        expect(getContrast(text, back), parameters).to.be.at.least(MIN_CONTRAST);
      }
  });
});
