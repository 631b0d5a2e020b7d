import { expect } from 'chai';
import { toOneLine } from './to-one-line.js';

describe('toOneLine', () => {
  it('should join several lines into one', () => {
    expect(toOneLine('  a\n\tb  c ')).to.equal('a b c');
  });

  it('should truncate long text and not cut within a character', () => {
    expect(toOneLine('😀'.repeat(10), 4)).to.equal('😀😀😀…');
    expect(toOneLine('abcd', 4)).to.equal('abcd');
  });

  it('should escape bidirectional and invisible characters', () => {
    expect(toOneLine('safe\u202egpj.exe\u0000 \u2066')).to.equal('safe⟦U+202E⟧gpj.exe⟦U+0000⟧ ⟦U+2066⟧');
    expect(toOneLine('a\u200b\u2028b\ufeff')).to.equal('a⟦U+200B⟧⟦U+2028⟧b⟦U+FEFF⟧');
    expect(toOneLine('\u202e'.repeat(9), 4)).to.equal('⟦U+202E⟧⟦U+202E⟧⟦U+202E⟧…');
  });
});
