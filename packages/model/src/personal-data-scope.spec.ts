import { expect } from 'chai';
import { PersonScope, WHOLE_RUN } from './personal-data-scope.js';

describe('PersonScope', () => {
  const ada = new PersonScope(['ada', 'Ada Lovelace', 'Ada', '', 'a.l+x@example.org']);

  it('should find a person’s names in values, words and keys, but not within longer words', () => {
    for (const value of [
      'ada',
      'by Ada.',
      ['x', { y: 'Ada Lovelace' }],
      { ada: 1 },
      'to <a.l+x@example.org>',
      'ada\u2019s',
    ])
      expect(ada.containsPersonalData(value), JSON.stringify(value)).to.equal(true);
    for (const value of [
      'adam',
      'Canada',
      'ADA',
      'ada_1',
      '\u00e9ada',
      'a1l+x@example.org',
      null,
      undefined,
      3,
      {},
      ['x'],
    ])
      expect(ada.containsPersonalData(value), JSON.stringify(value)).to.equal(false);
  });

  it('should replace the names and leave the rest unchanged', () => {
    expect(ada.eraseText('Ada Lovelace asked Ada, not Adam.')).to.equal('[erased] asked [erased], not Adam.');
    expect(ada.eraseJson({ who: 'ada', n: 1, list: ['Ada', null], ada: true, deep: { note: 'Canada' } })).to.deep.equal(
      {
        'who': '[erased]',
        'n': 1,
        'list': ['[erased]', null],
        '[erased]': true,
        'deep': { note: 'Canada' },
      },
    );
    expect([ada.eraseId('ada'), ada.eraseId('bob'), ada.eraseId('by ada')]).to.deep.equal([
      '[erased]',
      'bob',
      'by ada',
    ]);
  });

  it('should match user names case-insensitively and ids exactly', () => {
    const person = new PersonScope(['U-1'], ['Ada@Example.com', 'alovelace']);
    expect(person.eraseText('ADA@example.com wrote to xada@example.com as ALovelace (U-1, u-1).')).to.equal(
      '[erased] wrote to xada@example.com as [erased] ([erased], u-1).',
    );
    expect([person.eraseId('ada@EXAMPLE.com'), person.eraseId('u-1')]).to.deep.equal(['[erased]', 'u-1']);
    expect(person.containsPersonalData({ to: 'BOB', from: 'aDa@example.com' })).to.equal(true);
  });

  it('should treat names as plain text, not as patterns, and require at least one name', () => {
    const specialCharactersScope = new PersonScope(['a.*b(c)[d]|e\\f$^-/']);
    expect(specialCharactersScope.eraseText('x a.*b(c)[d]|e\\f$^-/ y')).to.equal('x [erased] y');
    expect(specialCharactersScope.containsPersonalData('aXXb')).to.equal(false);
    expect(() => new PersonScope([''])).to.throw();
  });

  it('should ignore an empty user name, which would match every text', () => {
    const person = new PersonScope(['u-1'], ['']);
    expect(person.containsPersonalData('anything')).to.equal(false);
    expect([person.eraseText('anything by u-1'), person.eraseId('')]).to.deep.equal(['anything by [erased]', '']);
  });
});

describe('WHOLE_RUN', () => {
  it('should remove everything', () => {
    expect([
      WHOLE_RUN.eraseId('ada'),
      WHOLE_RUN.eraseText('x'),
      WHOLE_RUN.eraseJson({ a: 1 }),
      WHOLE_RUN.eraseJson([1]),
      WHOLE_RUN.eraseJson('x'),
    ]).to.deep.equal(['[erased]', '[erased]', {}, [], '[erased]']);
    expect([
      WHOLE_RUN.containsPersonalData({}),
      WHOLE_RUN.containsPersonalData(null),
      WHOLE_RUN.containsPersonalData(undefined),
    ]).to.deep.equal([true, false, false]);
  });
});
