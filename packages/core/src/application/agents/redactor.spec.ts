import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '@countersign/model';
import { turnsDuring } from '@countersign/model/testing';
import { MultiStringSearch } from './multi-string-search.js';
import { Redactor } from './redactor.js';

const SECRET = 'p4ss"wörd/+ with\nline';

describe('Redactor', () => {
  const redactor = (...secrets: string[]) => new Redactor({ current: secrets });

  it('should redact a secret in every usual encoding', () => {
    // given
    const bytes = Buffer.from(SECRET);
    const forms = {
      plain: `a ${SECRET} b`,
      json: JSON.stringify({ a: { b: SECRET } }),
      jsonInJson: JSON.stringify(JSON.stringify({ a: SECRET })),
      ascii: 'p4ss\\"w\\u00f6rd/+ with\\nline',
      percent: `?key=${encodeURIComponent(SECRET)}`,
      percentSmall: `?key=${encodeURIComponent(SECRET).replaceAll(/%../g, (each) => each.toLowerCase())}`,
      form: new URLSearchParams({ key: SECRET }).toString(),
      hex: bytes.toString('hex'),
      hexLarge: bytes.toString('hex').toUpperCase(),
      base64: bytes.toString('base64'),
      base64url: bytes.toString('base64url'),
      inside0: Buffer.from(`abc${SECRET}def`).toString('base64'),
      inside1: Buffer.from(`user:${SECRET}@host`).toString('base64'),
      inside2: Buffer.from(`abcd${SECRET}x`).toString('base64url'),
    };

    // when
    const clean = Object.entries(forms).map(([form, text]) => [form, redactor(SECRET).text(text)] as const);

    // then
    for (const [form, text] of clean) {
      expect(text, form).to.contain('[secret]');
      expect(text, form).not.to.match(/p4ss|7034737322|with|d2l0a/);
    }
  });

  it('should not change other text or redact secrets that are too short to differ from words', () => {
    // given
    const text = 'nothing here: passwor, assword, YWJj';

    // then
    expect(redactor('password', 'abc').text(text)).to.equal(text);
    expect(redactor('password').text('passwordpasswordpasswor')).to.equal('[secret]passwor');
    const value = { a: ['x', { b: 1 }], c: null };
    expect(redactor('password').json(value)).to.equal(value);
  });

  it('should redact secrets in member names and lists, and secrets that overlap', () => {
    // when
    const clean = redactor('abcdefgh', 'efghijkl').json({ 'is abcdefgh': ['x', 'abcdefghijkl', 1], 'y': { z: true } });

    // then
    expect(clean).to.deep.equal({ 'is [secret]': ['x', '[secret]', 1], 'y': { z: true } });
  });

  it('should redact a value as a whole when it is nested too deeply', () => {
    // given
    let deep: Json = 'p4ssw0rd';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];

    // when
    const clean = redactor('p4ssw0rd').json(deep);

    // then
    expect(JSON.stringify(clean)).to.match(/^\[{201}"\[secret\]"\]{201}$/);
  });

  it('should redact only the current secret after a rotation', () => {
    // given
    const secrets = { current: ['old-old-old'] };
    const live = new Redactor(secrets);
    const before = live.text('old-old-old new-new-new');

    // when
    secrets.current = ['new-new-new'];

    // then
    expect(before).to.equal('[secret] new-new-new');
    expect(live.text('old-old-old new-new-new')).to.equal('old-old-old [secret]');
  });

  it('should redact the same secrets when it yields to the event loop as when it does not', async () => {
    // given: a long text with secrets and escapes at every position, and many short texts
    const secret = 'p4ss-w0rd-of-the-server';
    const disguised = [
      secret,
      secret.replaceAll('-', ' - '),
      Buffer.from(secret).toString('base64'),
      [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
    ];
    const long = Array.from(
      { length: 3_000 },
      (_, index) => `${'x'.repeat(index % 7)} ${disguised[index % disguised.length]}`,
    ).join('\n');
    const value = {
      long,
      short: Array.from({ length: 3_000 }, (_, index) => ({
        [`k${index}`]: disguised[index % disguised.length] ?? '',
      })),
      json: JSON.stringify({ a: secret.slice(0, 9), b: secret.slice(9) }),
    };
    const subject = redactor(secret);

    // when
    const [text, json] = await Promise.all([subject.textInTurns(long), subject.jsonInTurns(value)]);

    // then
    expect(text).to.equal(subject.text(long));
    expect(json).to.deep.equal(subject.json(value));
    expect(JSON.stringify(json)).to.include('[secret]').and.not.include('p4ss');
    const plain = { long: 'nothing to see here '.repeat(9_000) };
    expect(await subject.jsonInTurns(plain)).to.equal(plain);
  });

  it('should yield to the event loop while it searches a large value', async () => {
    const { turns } = await turnsDuring(() =>
      redactor('p4ss-w0rd-of-the-server').jsonInTurns({ content: 'a1b2 %20 '.repeat(200_000) }),
    );
    expect(turns).to.be.greaterThan(1);
  });

  it('should find the same occurrences with MultiStringSearch as with a separate search for each string', () => {
    // given: only two letters, so that the texts overlap and contain each other
    const word = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength });
    const search = fc.property(fc.array(word(6), { minLength: 1, maxLength: 5 }), word(60), (texts, haystack) => {
      const covered = Array.from({ length: haystack.length }, (_, at) =>
        texts.some((text) =>
          Array.from({ length: text.length }, (_unused, back) => at - back).some(
            (start) => start >= 0 && haystack.startsWith(text, start),
          ),
        ),
      );

      // when
      const found = new MultiStringSearch(texts).find(haystack);

      // then
      const marked = covered.map((_, at) => found.some(({ start, end }) => at >= start && at < end));
      expect(marked).to.deep.equal(covered);
      for (const [index, { start }] of found.entries()) expect(start).to.be.greaterThan(found[index - 1]?.end ?? -1);
    });
    fc.assert(search, { numRuns: 200 });
  });
});
