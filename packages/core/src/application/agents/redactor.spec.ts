import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '@countersign/model';
import { countEventLoopTurns } from '@countersign/model/testing';
import { MultiStringSearch } from './multi-string-search.js';
import { Redactor } from './redactor.js';

const SECRET = 'p4ss"wörd/+ with\nline';

describe('Redactor', () => {
  const createRedactor = (...secrets: string[]) => new Redactor({ current: secrets });

  it('should redact a secret in every common encoding', () => {
    // given
    const bytes = Buffer.from(SECRET);
    const textsByEncoding = {
      plain: `a ${SECRET} b`,
      json: JSON.stringify({ a: { b: SECRET } }),
      jsonInJson: JSON.stringify(JSON.stringify({ a: SECRET })),
      ascii: 'p4ss\\"w\\u00f6rd/+ with\\nline',
      percent: `?key=${encodeURIComponent(SECRET)}`,
      percentLowerCase: `?key=${encodeURIComponent(SECRET).replaceAll(/%../g, (each) => each.toLowerCase())}`,
      form: new URLSearchParams({ key: SECRET }).toString(),
      hex: bytes.toString('hex'),
      hexUpperCase: bytes.toString('hex').toUpperCase(),
      base64: bytes.toString('base64'),
      base64url: bytes.toString('base64url'),
      base64Offset0: Buffer.from(`abc${SECRET}def`).toString('base64'),
      base64Offset1: Buffer.from(`user:${SECRET}@host`).toString('base64'),
      base64urlOffset2: Buffer.from(`abcd${SECRET}x`).toString('base64url'),
    };

    // when
    const redacted = Object.entries(textsByEncoding).map(
      ([encoding, text]) => [encoding, createRedactor(SECRET).redactText(text)] as const,
    );

    // then
    for (const [encoding, text] of redacted) {
      expect(text, encoding).to.contain('[secret]');
      expect(text, encoding).not.to.match(/p4ss|7034737322|with|d2l0a/);
    }
  });

  it('should not change text without secrets, nor redact secrets that are too short to differ from words', () => {
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
    let nestedValue: Json = 'p4ssw0rd';
    for (let depth = 0; depth < 100_000; depth += 1) nestedValue = [nestedValue];

    // when
    const redacted = createRedactor('p4ssw0rd').redactJson(nestedValue);

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
    const longText = Array.from(
      { length: 3_000 },
      (_, index) => `${'x'.repeat(index % 7)} ${encodedSecrets[index % encodedSecrets.length]}`,
    ).join('\n');
    const value = {
      long: longText,
      short: Array.from({ length: 3_000 }, (_, index) => ({
        [`k${index}`]: encodedSecrets[index % encodedSecrets.length] ?? '',
      })),
      json: JSON.stringify({ a: secret.slice(0, 9), b: secret.slice(9) }),
    };
    const redactor = createRedactor(secret);

    // when
    const [text, json] = await Promise.all([
      redactor.redactTextTimeSliced(longText),
      redactor.redactJsonTimeSliced(value),
    ]);

    // then
    expect(text).to.equal(redactor.redactText(longText));
    expect(json).to.deep.equal(redactor.redactJson(value));
    expect(JSON.stringify(json)).to.include('[secret]').and.not.include('p4ss');
    const valueWithoutSecret = { long: 'nothing to see here '.repeat(9_000) };
    expect(await redactor.redactJsonTimeSliced(valueWithoutSecret)).to.equal(valueWithoutSecret);
  });

  it('should yield to the event loop while it searches a large value', async () => {
    const { turns } = await countEventLoopTurns(() =>
      createRedactor('p4ss-w0rd-of-the-server').redactJsonTimeSliced({ content: 'a1b2 %20 '.repeat(200_000) }),
    );
    expect(turns).to.be.greaterThan(1);
  });

  it('should find the same occurrences with MultiStringSearch as with a separate search for each string', () => {
    // given: only two letters, so that the strings overlap and contain each other
    const createWordArbitrary = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength });
    const searchProperty = fc.property(
      fc.array(createWordArbitrary(6), { minLength: 1, maxLength: 5 }),
      createWordArbitrary(60),
      (texts, haystack) => {
        const expectedCoverage = Array.from({ length: haystack.length }, (_, position) =>
          texts.some((text) =>
            Array.from({ length: text.length }, (_unused, distance) => position - distance).some(
              (start) => start >= 0 && haystack.startsWith(text, start),
            ),
          ),
        );

        // when
        const matches = new MultiStringSearch(texts).find(haystack);

        // then
        const actualCoverage = expectedCoverage.map((_, position) =>
          matches.some(({ start, end }) => position >= start && position < end),
        );
        expect(actualCoverage).to.deep.equal(expectedCoverage);
        for (const [index, { start }] of matches.entries())
          expect(start).to.be.greaterThan(matches[index - 1]?.end ?? -1);
      },
    );
    fc.assert(searchProperty, { numRuns: 200 });
  });
});
