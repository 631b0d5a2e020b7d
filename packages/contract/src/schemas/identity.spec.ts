import { expect } from 'chai';
import { toIdentity } from './identity.js';

describe('toIdentity', () => {
  it('should normalise equivalent Unicode spellings to the same name', () => {
    expect(toIdentity('Zoe\u0308')).to.equal('Zo\u00eb');
    expect(toIdentity('\u1112\u1161\u11ab')).to.equal('\ud55c');
    expect(toIdentity('\u212b')).to.equal('\u00c5');
  });

  it('should refuse invisible characters, surrounding spaces, and empty or too long names', () => {
    const invisibleCharacters = [
      '\u200b',
      '\u200d',
      '\u202e',
      '\u00ad',
      '\u115f',
      '\u1160',
      '\u3164',
      '\uffa0',
      '\ufe0f',
      '\u180b',
      '\u{e0101}',
      '\u{e0041}',
      '\u034f',
      '\u2800',
      '\u00a0',
      '\u2003',
      '\0',
      '\u001b',
      '\u2028',
      '\ud800',
    ];
    for (const character of invisibleCharacters)
      expect(toIdentity(`a${character}da`), character.codePointAt(0)?.toString(16)).to.equal(undefined);
    for (const name of ['', ' ada', 'ada ', '\u3000ada', 'a'.repeat(256)])
      expect(toIdentity(name), JSON.stringify(name)).to.equal(undefined);
  });

  it('should refuse the placeholder for erased names', () => {
    expect(toIdentity('[erased]')).to.equal(undefined);
    expect(toIdentity('[erased] ada')).to.equal('[erased] ada');
  });

  it('should accept names in all scripts', () => {
    for (const name of [
      'ada',
      'Ada Łowelace',
      '山田\u3000太郎',
      'علی',
      'प्रिया',
      'ada@example.org',
      'auth0|5f7c8ec7c33c6c004bbafe82',
      '💩',
    ])
      expect(toIdentity(name)).to.equal(name);
  });
});
