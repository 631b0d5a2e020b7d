import { expect } from 'chai';
import { escapeMarkdown } from './escape-markdown.js';

describe('escapeMarkdown', () => {
  for (const [description, text, escaped] of [
    ['emphasis and code', 'a *b* _c_ `d` ~e~', 'a \\*b\\* \\_c\\_ \\`d\\` \\~e\\~'],
    ['HTML', '<img src=x onerror=alert(1)> &amp;', '\\<img src=x onerror=alert(1)\\> \\&amp;'],
    ['links and images', '![a](javascript:x) [b]: c', '\\!\\[a\\](javascript:x) \\[b\\]: c'],
    ['tables, headings and backslashes', '# a | b \\*', '\\# a \\| b \\\\\\*'],
    ['a list within the list', '- a', '\\- a'],
    ['a numbered list', '1. a', '1\\. a'],
    ['bare URLs', 'see https://example.org or www.example.org', 'see https\\://example.org or www\\.example.org'],
    ['mentions of users', 'thanks @ann, a@b.c', 'thanks @\u2060ann, a@\u2060b.c'],
    ['line breaks', 'a\n\n## b\r\u2028c', 'a \\#\\# b c'],
    ['bidirectional control characters', 'a\u202eb\u2066c', 'abc'],
  ] as const) {
    it(`should escape or remove ${description}`, () => {
      expect(escapeMarkdown(text)).to.equal(escaped);
    });
  }

  it('should leave plain text unchanged', () => {
    expect(escapeMarkdown('fix (the) thing: 2.5 - ünïcode, "quotes"')).to.equal(
      'fix (the) thing: 2.5 - ünïcode, "quotes"',
    );
  });

  it('should shorten a text without splitting a character', () => {
    expect(escapeMarkdown('a😀😀', 4)).to.equal('a😀…');
    expect(escapeMarkdown('a😀😀', 3).isWellFormed()).to.equal(true);
  });
});
