import { expect } from 'chai';
import { OnePerson, WHOLE_RUN } from './personal-data-scope.js';

describe('OnePerson', () => {
  const ada = new OnePerson(['ada', 'Ada Lovelace', 'Ada', '', 'a.l+x@example.org']);

  it('should find a person’s names in values, words and keys, but not within longer words', () => {
    for (const value of [
      'ada',
      'by Ada.',
      ['x', { y: 'Ada Lovelace' }],
      { ada: 1 },
      'to <a.l+x@example.org>',
      'ada\u2019s',
    ])
      expect(ada.concerns(value), JSON.stringify(value)).to.equal(true);
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
      expect(ada.concerns(value), JSON.stringify(value)).to.equal(false);
  });

  it('should remove the names and leave the rest unchanged', () => {
    expect(ada.text('Ada Lovelace asked Ada, not Adam.')).to.equal('[erased] asked [erased], not Adam.');
    expect(ada.json({ who: 'ada', n: 1, list: ['Ada', null], ada: true, deep: { said: 'Canada' } })).to.deep.equal({
      'who': '[erased]',
      'n': 1,
      'list': ['[erased]', null],
      '[erased]': true,
      'deep': { said: 'Canada' },
    });
    expect([ada.person('ada'), ada.person('bob'), ada.person('by ada')]).to.deep.equal(['[erased]', 'bob', 'by ada']);
  });

  it('should match user names case-insensitively and ids exactly', () => {
    const person = new OnePerson(['U-1'], ['Ada@Example.com', 'alovelace']);
    expect(person.text('ADA@example.com wrote to xada@example.com as ALovelace (U-1, u-1).')).to.equal(
      '[erased] wrote to xada@example.com as [erased] ([erased], u-1).',
    );
    expect([person.person('ada@EXAMPLE.com'), person.person('u-1')]).to.deep.equal(['[erased]', 'u-1']);
    expect(person.concerns({ to: 'BOB', from: 'aDa@example.com' })).to.equal(true);
  });

  it('should treat names as plain text, not as patterns, and require at least one name', () => {
    const odd = new OnePerson(['a.*b(c)[d]|e\\f$^-/']);
    expect(odd.text('x a.*b(c)[d]|e\\f$^-/ y')).to.equal('x [erased] y');
    expect(odd.concerns('aXXb')).to.equal(false);
    expect(() => new OnePerson([''])).to.throw();
  });
});

describe('WHOLE_RUN', () => {
  it('should remove everything', () => {
    expect([
      WHOLE_RUN.person('ada'),
      WHOLE_RUN.text('x'),
      WHOLE_RUN.json({ a: 1 }),
      WHOLE_RUN.json([1]),
      WHOLE_RUN.json('x'),
    ]).to.deep.equal(['[erased]', '[erased]', {}, [], '[erased]']);
    expect([WHOLE_RUN.concerns({}), WHOLE_RUN.concerns(null), WHOLE_RUN.concerns(undefined)]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});
