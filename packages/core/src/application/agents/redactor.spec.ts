import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '@countersign/model';
import { countEventLoopTurns } from '@countersign/model/testing';
import { MultiStringSearch } from './multi-string-search.js';
import { Redactor } from './redactor.js';

const SECRET = 'p4ss"wörd/+ with\nline';

describe('Redactor', () => {
  const createRedactor = (...secrets: string[]) => new Redactor({ current: secrets });

  it('should redact a secret in every usual encoding', () => {
    // given
    const bytes = Buffer.from(SECRET);
    const textsByEncoding = {
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
    const redacted = Object.entries(textsByEncoding).map(
      ([form, text]) => [form, createRedactor(SECRET).redactText(text)] as const,
    );

    // then
    for (const [form, text] of redacted) {
      expect(text, form).to.contain('[secret]');
      expect(text, form).not.to.match(/p4ss|7034737322|with|d2l0a/);
    }
  });

  it('should not change other text or redact secrets that are too short to differ from words', () => {
    // given
    const text = 'nothing here: passwor, assword, YWJj';

    // then
    expect(createRedactor('password', 'abc').redactText(text)).to.equal(text);
    expect(createRedactor('password').redactText('passwordpasswordpasswor')).to.equal('[secret]passwor');
    const value = { a: ['x', { b: 1 }], c: null };
    expect(createRedactor('password').redactJson(value)).to.equal(value);
  });

  it('should redact secrets in member names and lists, and secrets that overlap', () => {
    // when
    const redacted = createRedactor('abcdefgh', 'efghijkl').redactJson({
      'is abcdefgh': ['x', 'abcdefghijkl', 1],
      'y': { z: true },
    });

    // then
    expect(redacted).to.deep.equal({ 'is [secret]': ['x', '[secret]', 1], 'y': { z: true } });
  });

  it('should redact a value as a whole when it is nested too deeply', () => {
    // given
    let deep: Json = 'p4ssw0rd';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];

    // when
    const redacted = createRedactor('p4ssw0rd').redactJson(deep);

    // then
    expect(JSON.stringify(redacted)).to.match(/^\[{201}"\[secret\]"\]{201}$/);
  });

  it('should redact only the current secret after a rotation', () => {
    // given
    const secrets = { current: ['old-old-old'] };
    const rotatingRedactor = new Redactor(secrets);
    const redactedBeforeRotation = rotatingRedactor.redactText('old-old-old new-new-new');

    // when
    secrets.current = ['new-new-new'];

    // then
    expect(redactedBeforeRotation).to.equal('[secret] new-new-new');
    expect(rotatingRedactor.redactText('old-old-old new-new-new')).to.equal('old-old-old [secret]');
  });

  it('should redact the same secrets when it yields to the event loop as when it does not', async () => {
    // given: a long text with secrets and escapes at every position, and many short texts
    const secret = 'p4ss-w0rd-of-the-server';
    const encodedSecrets = [
      secret,
      secret.replaceAll('-', ' - '),
      Buffer.from(secret).toString('base64'),
      [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
    ];
    const long = Array.from(
      { length: 3_000 },
      (_, index) => `${'x'.repeat(index % 7)} ${encodedSecrets[index % encodedSecrets.length]}`,
    ).join('\n');
    const value = {
      long,
      short: Array.from({ length: 3_000 }, (_, index) => ({
        [`k${index}`]: encodedSecrets[index % encodedSecrets.length] ?? '',
      })),
      json: JSON.stringify({ a: secret.slice(0, 9), b: secret.slice(9) }),
    };
    const subject = createRedactor(secret);

    // when
    const [text, json] = await Promise.all([subject.redactTextTimeSliced(long), subject.redactJsonTimeSliced(value)]);

    // then
    expect(text).to.equal(subject.redactText(long));
    expect(json).to.deep.equal(subject.redactJson(value));
    expect(JSON.stringify(json)).to.include('[secret]').and.not.include('p4ss');
    const plain = { long: 'nothing to see here '.repeat(9_000) };
    expect(await subject.redactJsonTimeSliced(plain)).to.equal(plain);
  });

  it('should yield to the event loop while it searches a large value', async () => {
    const { turns } = await countEventLoopTurns(() =>
      createRedactor('p4ss-w0rd-of-the-server').redactJsonTimeSliced({ content: 'a1b2 %20 '.repeat(200_000) }),
    );
    expect(turns).to.be.greaterThan(1);
  });

  it('should find the same occurrences with MultiStringSearch as with a separate search for each string', () => {
    // given: only two letters, so that the texts overlap and contain each other
    const wordOf = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength });
    const search = fc.property(fc.array(wordOf(6), { minLength: 1, maxLength: 5 }), wordOf(60), (texts, haystack) => {
      const isCovered = Array.from({ length: haystack.length }, (_, at) =>
        texts.some((text) =>
          Array.from({ length: text.length }, (_unused, distance) => at - distance).some(
            (start) => start >= 0 && haystack.startsWith(text, start),
          ),
        ),
      );

      // when
      const matches = new MultiStringSearch(texts).find(haystack);

      // then
      const isMarked = isCovered.map((_, at) => matches.some(({ start, end }) => at >= start && at < end));
      expect(isMarked).to.deep.equal(isCovered);
      for (const [index, { start }] of matches.entries())
        expect(start).to.be.greaterThan(matches[index - 1]?.end ?? -1);
    });
    fc.assert(search, { numRuns: 200 });
  });
});
