import { expect } from 'chai';
import { hasHiddenCharacters, oneLine, visible, visibleUpTo } from './visible-text.js';

describe('texts of MCP servers', () => {
  for (const [what, hidden] of Object.entries({
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
    it(`should escape ${what}`, () => {
      expect(hasHiddenCharacters(`a${hidden}b`)).to.equal(true);
      expect(visible(`a${hidden}b`)).to.equal(`a\\u{${hidden.codePointAt(0)!.toString(16).toUpperCase()}}b`);
      expect(hasHiddenCharacters(visible(`a${hidden}b`))).to.equal(false);
    });
  }

  it('should not change visible characters, emoji or line breaks', () => {
    for (const text of ['Grüße, 世界! 👩‍👧 ❤️ עברית\tx\n\r\n', '']) {
      expect(visible(text)).to.equal(text);
      expect(hasHiddenCharacters(text)).to.equal(false);
    }
  });

  it('should replace lone surrogates', () => {
    expect(hasHiddenCharacters('\ud800')).to.equal(true);
    expect(visible('a\ud800b')).to.equal('a\u{fffd}b');
    expect(visibleUpTo('a😀b', 2)).to.equal('a\u{fffd} […]');
  });

  it('should be truncated, escaped characters included', () => {
    expect(visibleUpTo('x'.repeat(10), 10)).to.equal('x'.repeat(10));
    expect(visibleUpTo('x'.repeat(11), 10)).to.equal(`${'x'.repeat(10)} […]`);
    expect(visibleUpTo('\u{e0041}'.repeat(5), 10)).to.have.length.lessThan(16);
  });

  it('should be joined to one line for a log', () => {
    expect(oneLine(' a\r\n2026-01-01 INFO forged\tb \u2028c')).to.equal('a 2026-01-01 INFO forged b c');
  });
});
