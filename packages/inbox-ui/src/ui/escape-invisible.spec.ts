import { expect } from 'chai';
import { escapeInvisible, escapeInvisibleParts } from './escape-invisible.js';

describe('escapeInvisible', () => {
  it('should escape bidirectional, invisible and control characters', () => {
    expect(escapeInvisible('pay \u202e001\u202c to\u200b me\u0000\u{e0041}')).to.equal(
      'pay ⟦U+202E⟧001⟦U+202C⟧ to⟦U+200B⟧ me⟦U+0000⟧⟦U+E0041⟧',
    );
    expect(escapeInvisible('over\rwritten')).to.equal('over⟦U+000D⟧written');
    expect(escapeInvisible('a line\r')).to.equal('a line⟦U+000D⟧');
  });

  it('should escape blanks, fillers, tags and lone surrogates', () => {
    for (const hidden of [
      '\u00ad',
      '\u034f',
      '\u115f',
      '\u17b4',
      '\u180e',
      '\u2060',
      '\u2064',
      '\u206f',
      '\u2800',
      '\u3164',
      '\ufeff',
      '\uffa0',
      '\ufff9',
      '\u{1bca0}',
      '\u{1d173}',
      '\u{e0001}',
      '\u{e0100}',
      '\ud800',
    ]) {
      expect(escapeInvisible(`a${hidden}b`)).to.equal(
        `a⟦U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧b`,
      );
    }
  });

  it('should escape joiners and variation selectors that have no effect', () => {
    expect(escapeInvisible('pay\u200dpal\u200c.com')).to.equal('pay⟦U+200D⟧pal⟦U+200C⟧.com');
    expect(escapeInvisible('a\ufe0f\ufe00 1\ufe0f 👍\ufe0f\ufe0f\u200d\u200d')).to.equal(
      'a⟦U+FE0F⟧⟦U+FE00⟧ 1⟦U+FE0F⟧ 👍\ufe0f⟦U+FE0F⟧\u200d⟦U+200D⟧',
    );
  });

  it('should escape more than five combining marks on a letter', () => {
    expect(escapeInvisible(`a${'\u0301'.repeat(5)}b`)).to.equal(`a${'\u0301'.repeat(5)}b`);
    expect(escapeInvisible(`a${'\u0301'.repeat(7)}b`)).to.equal(`a${'\u0301'.repeat(5)}⟦U+0301⟧⟦U+0301⟧b`);
  });

  it('should not change text of any language, emoji and line breaks', () => {
    for (const text of [
      'one\r\ntwo\n\tthree',
      'שלום עולם',
      'می‌خواهم',
      '👩‍👩‍👧 ❤️ 🏳️‍🌈 👍🏽 1️⃣ ❤️‍🔥',
      'क्‍ष ශ්‍රී',
      'tiếng Việt',
      'שָׁ֑לוֹם',
      'ภาษาไทย น้ำ',
      'naïve – „quoted“',
      'x > 0 && y < 1',
    ])
      expect(escapeInvisible(text)).to.equal(text);
  });
});

describe('escapeInvisibleParts', () => {
  for (const [description, parts] of [
    ['visible text', ['one', '', 'two\r\n']],
    ['invisible characters at the ends of parts', ['\u202eone\u202e', '\u202e', 'two']],
    ['marks on a letter of another part', [`a${'\u0301'.repeat(3)}`, '\u0301'.repeat(4), 'b']],
    ['a joiner between emoji of two parts', ['👩\u200d', '👧 \u200d', 'x']],
    ['a line break in two parts', ['one\r', '\ntwo\r', 'three']],
  ] as const)
    it(`should escape ${description} like in the whole text`, () => {
      const escaped = escapeInvisibleParts(parts);
      expect(escaped.length).to.equal(parts.length);
      expect(escaped.join('')).to.equal(escapeInvisible(parts.join('')));
    });

  it('should escape each character in its part', () => {
    expect(escapeInvisibleParts(['\u202eone', 'two\u202e'])).to.deep.equal(['⟦U+202E⟧one', 'two⟦U+202E⟧']);
  });
});
