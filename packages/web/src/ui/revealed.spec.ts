import { expect } from 'chai';
import { revealed } from './revealed.js';

describe('web: text that people rely on', () => {
  it('should name what turns it around, hides in it or breaks it', () => {
    expect(revealed('pay \u202e001\u202c to\u200b me\u0000\u{e0041}')).to.equal('pay ⟦U+202E⟧001⟦U+202C⟧ to⟦U+200B⟧ me⟦U+0000⟧⟦U+E0041⟧');
    expect(revealed('over\rwritten')).to.equal('over⟦U+000D⟧written');
    expect(revealed('a line\r')).to.equal('a line⟦U+000D⟧');
  });

  it('should leave languages, emoji and lines as they are', () => {
    for (const text of ['one\r\ntwo\n\tthree', 'שלום עולם', 'می‌خواهم', '👩‍👩‍👧 ❤️ 🏳️‍🌈', 'naïve – „quoted“', 'x > 0 && y < 1']) expect(revealed(text)).to.equal(text);
  });
});
