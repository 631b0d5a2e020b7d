import { expect } from 'chai';
import { decodeWideCharacters } from './wide-characters.js';

describe('decodeWideCharacters()', () => {
  it('should decode references to characters beyond U+FFFF', () => {
    expect(decodeWideCharacters('<a b="&#x10073;&#66163;&#x1F600;">&#128512;</a>')).to.equal(
      '<a b="\u{10073}\u{10273}😀">😀</a>',
    );
  });

  it('should leave all other text unchanged', () => {
    for (const xml of [
      '&#x73;&#115;&#xffff;&#x0000073;&amp;#x10073;',
      '<![CDATA[&#x10073;]]>',
      '<!-- &#x10073; -->',
      '&#x110000;',
    ])
      expect(decodeWideCharacters(xml)).to.equal(xml);
  });
});
