import { expect } from 'chai';
import {
  hasHiddenCharacters,
  toSingleLine,
  escapeHiddenCharacters,
  escapeAndTruncate,
} from './escape-hidden-characters.js';

describe('escapeHiddenCharacters', () => {
  for (const [description, hiddenCharacter] of Object.entries({
    'an escape character': '\u001b',
    'a NUL': '\0',
    'a delete character': '\u007f',
    'a C1 control character': '\u009b',
    'a soft hyphen': '\u00ad',
    'a zero-width space': '\u200b',
    'a direction mark': '\u200e',
    'a direction override': '\u202e',
    'a direction isolate': '\u2066',
    'a byte order mark': '\ufeff',
    'a Hangul filler': '\u3164',
    'a tag character': '\u{e0041}',
    'a variation selector': '\ufe01',
    'a supplementary variation selector': '\u{e0100}',
  })) {
    it(`should escape ${description}`, () => {
      expect(hasHiddenCharacters(`a${hiddenCharacter}b`)).to.equal(true);
      expect(escapeHiddenCharacters(`a${hiddenCharacter}b`)).to.equal(
        `a\\u{${hiddenCharacter.codePointAt(0)!.toString(16).toUpperCase()}}b`,
      );
      expect(hasHiddenCharacters(escapeHiddenCharacters(`a${hiddenCharacter}b`))).to.equal(false);
    });
  }

  it('should not change visible characters, emoji or line breaks', () => {
    for (const text of ['Grüße, 世界! 👩‍👧 ❤️ עברית\tx\n\r\n', '']) {
      expect(escapeHiddenCharacters(text)).to.equal(text);
      expect(hasHiddenCharacters(text)).to.equal(false);
    }
  });

  it('should replace lone surrogates', () => {
    expect(hasHiddenCharacters('\ud800')).to.equal(true);
    expect(escapeHiddenCharacters('a\ud800b')).to.equal('a\u{fffd}b');
    expect(escapeAndTruncate('a😀b', 2)).to.equal('a\u{fffd} […]');
  });
});

describe('escapeAndTruncate', () => {
  it('should limit the length of the text, including its escape sequences', () => {
    expect(escapeAndTruncate('x'.repeat(10), 10)).to.equal('x'.repeat(10));
    expect(escapeAndTruncate('x'.repeat(11), 10)).to.equal(`${'x'.repeat(10)} […]`);
    expect(escapeAndTruncate('\u{e0041}'.repeat(5), 10)).to.have.length.lessThan(16);
  });
});

describe('toSingleLine', () => {
  it('should join the lines of a text', () => {
    expect(toSingleLine(' a\r\n2026-01-01 INFO forged\tb \u2028c')).to.equal('a 2026-01-01 INFO forged b c');
  });
});
