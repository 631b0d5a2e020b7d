import { expect } from 'chai';
import { oneLine } from './one-line.js';

describe('oneLine', () => {
  it('should make one line of several', () => {
    expect(oneLine('  a\n\tb  c ')).to.equal('a b c');
  });

  it('should cut what is long, and never within a character', () => {
    expect(oneLine('😀'.repeat(10), 4)).to.equal('😀😀😀…');
    expect(oneLine('abcd', 4)).to.equal('abcd');
  });

  it('should show what would turn or hide a text', () => {
    expect(oneLine('safe\u202egpj.exe\u0000\u2066')).to.equal('safe·gpj.exe··');
  });
});
