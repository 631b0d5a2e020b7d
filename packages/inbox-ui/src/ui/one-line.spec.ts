import { expect } from 'chai';
import { oneLine } from './one-line.js';

describe('oneLine', () => {
  it('should join several lines into one', () => {
    expect(oneLine('  a\n\tb  c ')).to.equal('a b c');
  });

  it('should truncate long text and not cut within a character', () => {
    expect(oneLine('😀'.repeat(10), 4)).to.equal('😀😀😀…');
    expect(oneLine('abcd', 4)).to.equal('abcd');
  });

  it('should escape bidirectional and invisible characters', () => {
    expect(oneLine('safe\u202egpj.exe\u0000 \u2066')).to.equal('safe⟦U+202E⟧gpj.exe⟦U+0000⟧ ⟦U+2066⟧');
    expect(oneLine('a\u200b\u2028b\ufeff')).to.equal('a⟦U+200B⟧⟦U+2028⟧b⟦U+FEFF⟧');
    expect(oneLine('\u202e'.repeat(9), 4)).to.equal('⟦U+202E⟧⟦U+202E⟧⟦U+202E⟧…');
  });
});
