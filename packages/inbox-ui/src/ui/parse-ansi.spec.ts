import { expect } from 'chai';
import { cutAnsi, MAX_ANSI_SEQUENCES, parseAnsi, PLAIN_STYLE, type AnsiStyle } from './parse-ansi.js';

const ESC = '\u001b';

/** Returns the texts with the members of their styles that are set. */
function describeSpans(text: string): (readonly [string, Partial<AnsiStyle>])[] | undefined {
  return parseAnsi(text)?.map(({ text: part, style }) => [
    part,
    Object.fromEntries(Object.entries(style).filter(([name, value]) => value !== PLAIN_STYLE[name as keyof AnsiStyle])),
  ]);
}

describe('parseAnsi', () => {
  it('should find no styles in a text without sequences', () => {
    for (const text of ['', 'plain', `${ESC}`, `${ESC}[2K`, `${ESC}[8m hidden`, `${ESC}[31`, '[31m'])
      expect(parseAnsi(text), JSON.stringify(text)).to.equal(undefined);
  });

  for (const [parameters, style] of [
    ['31', { foreground: [205, 49, 49] }],
    ['97', { foreground: [255, 255, 255] }],
    ['42', { background: [16, 124, 16] }],
    ['107', { background: [255, 255, 255] }],
    ['1;2;3;4;9;7', { bold: true, dim: true, italic: true, underline: true, strikethrough: true, inverse: true }],
    ['4:3', { underline: true }],
    ['38;5;9', { foreground: [240, 90, 90] }],
    ['38;5;16', { foreground: [0, 0, 0] }],
    ['38;5;208;1', { foreground: [255, 135, 0], bold: true }],
    ['48;5;255', { background: [238, 238, 238] }],
    ['38;2;1;2;3;48;2;4;5;6', { foreground: [1, 2, 3], background: [4, 5, 6] }],
    ['38:2::1:2:3', { foreground: [1, 2, 3] }],
    ['38:2:1:2:3', { foreground: [1, 2, 3] }],
    ['48:5:16', { background: [0, 0, 0] }],
    ['31;0', {}],
    ['', {}],
    ['1;22;3;23;4;24;7;27;9;29;31;39;41;49', {}],
  ] as const)
    it(`should apply the parameters "${parameters}"`, () => {
      expect(describeSpans(`a${ESC}[${parameters}mb`)).to.deep.equal([
        ['a', {}],
        ['b', style],
      ]);
    });

  it('should apply each sequence to the text that follows it', () => {
    expect(describeSpans(`${ESC}[1mbold ${ESC}[32mgreen${ESC}[0m\nplain`)).to.deep.equal([
      ['bold ', { bold: true }],
      ['green', { bold: true, foreground: [16, 124, 16] }],
      ['\nplain', {}],
    ]);
  });

  for (const [description, sequence] of [
    ['a style that conceals text', `${ESC}[8m`],
    ['a style that conceals text, among others', `${ESC}[31;8m`],
    ['an unknown style', `${ESC}[66m`],
    ['a colour out of range', `${ESC}[38;5;256m`],
    ['an incomplete colour', `${ESC}[38;2;1;2m`],
    ['a colour without a kind', `${ESC}[38m`],
    ['a movement of the cursor', `${ESC}[3A`],
    ['an erased line', `${ESC}[2K`],
    ['a carriage return', '\r'],
    ['a backspace', '\b'],
    ['a link', `${ESC}]8;;https://example.com${ESC}\\`],
    ['a sequence with a private parameter', `${ESC}[?25l`],
    ['a sequence in one character', '\u009b31m'],
  ] as const)
    it(`should leave ${description} in the text`, () => {
      expect(describeSpans(`${ESC}[32mone${sequence}two`)).to.deep.equal([
        [`one${sequence}two`, { foreground: [16, 124, 16] }],
      ]);
    });

  it('should omit nothing but the sequences of the styles', () => {
    // given
    const text = `${ESC}${ESC}[31m[31mx${ESC}[8m${ESC}[0;1my\r\n${ESC}[K\ud83d${ESC}[32m\ude00 z`;

    // when
    const spans = parseAnsi(text) ?? [];

    // then
    expect(spans.map((span) => span.text).join('')).to.equal(
      `${ESC}[31mx${ESC}[8my\r\n${ESC}[K\ud83d${ESC}[32m\ude00 z`,
    );
  });

  it('should not apply more sequences than the maximum', () => {
    const spans = parseAnsi(`${ESC}[31mx`.repeat(MAX_ANSI_SEQUENCES + 2)) ?? [];
    expect(spans.length).to.equal(MAX_ANSI_SEQUENCES);
    expect(spans.at(-1)).to.deep.equal({ text: `x${ESC}[31mx${ESC}[31mx`, style: PLAIN_STYLE });
  });
});

describe('cutAnsi', () => {
  it('should return the beginning of a text', () => {
    const spans = parseAnsi(`one${ESC}[31mtwo${ESC}[0mthree`) ?? [];
    expect(cutAnsi(spans, 5).map(({ text }) => text)).to.deep.equal(['one', 'tw']);
    expect(cutAnsi(spans, 100)).to.deep.equal(spans);
  });
});
