import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { Redactor } from './redactor.js';
import { SecretFinder } from './secret-finder.js';
import { SymbolFinder } from './symbol-finder.js';

const createRedactor = (...secrets: string[]) => new Redactor({ current: secrets });
const hex = (text: string) => Buffer.from(text).toString('hex');
const countLettersAndDigits = (text: string) => text.normalize('NFKD').replaceAll(/[^a-z0-9]/gi, '').length;
const reverse = (text: string) => [...text].reverse().join('');
const mapCharacters = (text: string, write: (character: string, code: number) => string) =>
  [...text].map((character) => write(character, character.codePointAt(0)!)).join('');

/** Reversible encodings of a text. `shift` moves the start of the text within the encoded bytes. */
const ENCODINGS: Readonly<Record<string, (text: string, shift: number) => string>> = {
  'plain': (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'reversed': reverse,
  hex,
  'hex in upper case': (text) => hex(text).toUpperCase(),
  'hex in mixed case': (text) =>
    mapCharacters(hex(text), (digit, code) => (code % 2 === 0 ? digit.toUpperCase() : digit)),
  'hex dump': (text) => hex(text).replaceAll(/../g, '$& '),
  'hex numbers': (text) => [...Buffer.from(text)].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', '),
  'list of bytes': (text) => JSON.stringify([...Buffer.from(text)]),
  'base64': (text, shift) => Buffer.from('x'.repeat(shift) + text).toString('base64'),
  'base64url': (text, shift) => Buffer.from('x'.repeat(shift) + text).toString('base64url'),
  'base64 split into lines': (text, shift) =>
    Buffer.from('x'.repeat(shift) + text)
      .toString('base64')
      .replaceAll(/.{5}/g, '$&\r\n'),
  'base64 of UTF-16': (text, shift) => Buffer.from('x'.repeat(shift) + text, 'utf16le').toString('base64'),
  'base64 reversed': (text, shift) => reverse(Buffer.from('x'.repeat(shift) + text).toString('base64')),
  'base64 of the reversed text': (text, shift) => Buffer.from('x'.repeat(shift) + reverse(text)).toString('base64'),
  'base64 of base64': (text, shift) =>
    Buffer.from('x'.repeat(shift) + Buffer.from(text).toString('base64')).toString('base64'),
  'base64 of hex': (text, shift) => Buffer.from('x'.repeat(shift) + hex(text)).toString('base64'),
  'percent-encoded': (text) => hex(text).replaceAll(/../g, '%$&'),
  'partly percent-encoded': (text) =>
    mapCharacters(text, (character, code) => (code % 2 === 0 ? hex(character).replaceAll(/../g, '%$&') : character)),
  'percent-encoded twice': (text) => hex(text).replaceAll(/../g, '%25$&'),
  'JSON escapes': (text) => mapCharacters(text, (_, code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'JSON escapes in JSON': (text) => mapCharacters(text, (_, code) => `\\\\u${code.toString(16).padStart(4, '0')}`),
  'some JSON escapes': (text) =>
    mapCharacters(text, (character, code) => (code % 2 === 0 ? `\\u${code.toString(16).padStart(4, '0')}` : character)),
  'C escapes': (text) => hex(text).replaceAll(/../g, '\\x$&'),
  'octal escapes': (text) => mapCharacters(text, (_, code) => `\\${code.toString(8).padStart(3, '0')}`),
  'decimal HTML entities': (text) => mapCharacters(text, (_, code) => `&#${code};`),
  'some hexadecimal HTML entities': (text) =>
    mapCharacters(text, (character, code) => (code % 3 === 0 ? `&#x${code.toString(16)};` : character)),
  'rot13': (text) =>
    text.replaceAll(/[a-z]/gi, (letter) =>
      String.fromCharCode(((letter.toLowerCase().charCodeAt(0) - 97 + 13) % 26) + (letter < 'a' ? 65 : 97)),
    ),
  'full width': (text) =>
    mapCharacters(text, (character, code) =>
      /[a-z0-9]/i.test(character) ? String.fromCharCode(code + 0xfee0) : character,
    ),
  'mathematical bold': (text) =>
    mapCharacters(text, (character, code) =>
      /[a-z]/.test(character) ? String.fromCodePoint(code - 97 + 0x1d41a) : character,
    ),
  'separated by zero-width spaces': (text) => [...text].join('\u200b'),
  'separated by spaces': (text) => [...text].join(' '),
  'separated by hyphens': (text) => text.replaceAll(/.{3}/g, '$&-'),
  'split into lines': (text) => text.replaceAll(/.{4}/g, '$&\n'),
  'separated by soft hyphens and word joiners': (text) => text.replaceAll(/.{2}/g, '$&\u00ad\u2060'),
  'split into concatenated strings': (text) => text.replaceAll(/.{5}/g, '$&" + "'),
};

/**
 * Random tokens and passwords with at least 12 letters and digits, at least one of each, so that they differ from
 * words.
 */
const secretArbitrary = fc
  .string({
    minLength: 12,
    maxLength: 60,
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~+/'),
  })
  .filter((text) => text.replaceAll(/[^a-z0-9]/gi, '').length >= 12 && /[a-z]/i.test(text) && /[0-9]/.test(text));

const DOCUMENTS = ['docs', 'docs/adr', '.'].flatMap((directory) => {
  const path = fileURLToPath(new URL(`../../../../../${directory}/`, import.meta.url));
  return readdirSync(path)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(path, name), 'utf8'));
});

describe('disguised secrets', () => {
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    it(`should be redacted in the encoding: ${name}`, () => {
      fc.assert(
        fc.property(
          secretArbitrary,
          fc.nat(2),
          fc.constantFrom('', ' ', 'The key is: ', '"', '{"a":"'),
          fc.constantFrom('', '.', ' and so on', '"}'),
          (secret, shift, before, after) => {
            // given
            const encoded = encode(secret, shift);

            // when
            const redacted = createRedactor('another-secret-0', secret).redactText(before + encoded + after);

            // then: too few letters and digits are left to restore the secret; separating punctuation may remain
            const longestVisible = Math.max(
              ...redacted
                .split('[secret]')
                .map((part, index) => countLettersAndDigits(part) - (index === 0 ? countLettersAndDigits(before) : 0)),
            );
            expect(redacted, encoded).to.include('[secret]');
            expect(longestVisible, `${encoded} became ${redacted}`).to.be.at.most(
              countLettersAndDigits(after) + Math.max(8, encoded.length / 5),
            );
          },
        ),
        { numRuns: 60 },
      );
    });
  }

  const splitters: Readonly<Record<string, (pieces: string[]) => object>> = {
    'items of a list': (pieces) => pieces,
    'members of an object': (pieces) => Object.fromEntries(pieces.map((piece, index) => [`part${index}`, piece])),
    'members of the same name': (pieces) => pieces.map((part, line) => ({ line, unit: 'piece', part })),
    'names of members': (pieces) => Object.fromEntries(pieces.map((piece) => [`_${piece}`, true])),
    'strings and numbers': (pieces) => pieces.map((piece) => (/^[1-9][0-9]{0,9}$/.test(piece) ? Number(piece) : piece)),
    'messages with other text around the secret': (pieces) =>
      pieces.map((piece, index) => ({
        role: 'user',
        content:
          index === 0
            ? `Take this: ${piece}`
            : index === pieces.length - 1
              ? `${piece} is the end. ${'More. '.repeat(2_000)}`
              : piece,
      })),
  };
  for (const [name, split] of Object.entries(splitters)) {
    it(`should be redacted when split into pieces: ${name}`, () => {
      fc.assert(
        fc.property(
          secretArbitrary,
          fc.constantFrom('plain', 'hex', 'base64', 'reversed', 'percent-encoded'),
          fc.integer({ min: 3, max: 9 }),
          (secret, encoding, size) => {
            // given: distinct pieces, because an object cannot have two members with the same name
            const encoded = ENCODINGS[encoding]!(secret, 0);
            const pieces = Array.from({ length: Math.ceil(encoded.length / size) }, (_, index) =>
              encoded.slice(index * size, (index + 1) * size),
            );
            fc.pre(new Set(pieces).size === pieces.length);

            // when
            const redacted = JSON.stringify(createRedactor(secret).redactJson(split(pieces)));

            // then
            const visiblePieces = pieces.filter(
              (piece) => piece.length >= 4 && /[a-z0-9]{3}/i.test(piece) && redacted.includes(piece),
            );
            expect(visiblePieces.length, redacted).to.be.at.most(1);
          },
        ),
        { numRuns: 60 },
      );
    });
  }

  for (const name of ['items of a list', 'members of an object', 'members of the same name', 'names of members']) {
    it(`should be redacted when split into pieces in a JSON string: ${name}`, () => {
      fc.assert(
        fc.property(
          secretArbitrary,
          fc.constantFrom('plain', 'hex', 'base64', 'reversed'),
          fc.integer({ min: 3, max: 9 }),
          fc.constantFrom(0, 2),
          (secret, encoding, size, indent) => {
            // given
            const encoded = ENCODINGS[encoding]!(secret, 0);
            const pieces = Array.from({ length: Math.ceil(encoded.length / size) }, (_, index) =>
              encoded.slice(index * size, (index + 1) * size),
            );
            fc.pre(new Set(pieces).size === pieces.length);

            // when
            const redacted = createRedactor(secret).redactText(
              `It said: ${JSON.stringify(splitters[name]!(pieces), null, indent)}`,
            );

            // then
            const visiblePieces = pieces.filter(
              (piece) => piece.length >= 4 && /[a-z0-9]{3}/i.test(piece) && redacted.includes(piece),
            );
            expect(visiblePieces.length, redacted).to.be.at.most(1);
          },
        ),
        { numRuns: 40 },
      );
    });
  }

  it('should not be found in malformed JSON strings', () => {
    const texts = ['"', '"a', '"a": "b', '{"a":"\\', '{"a\\":"b","c":"d"}', '"":""x"', '":":":"'];

    for (const text of texts) expect(createRedactor('s3cr3t-t0k3n-42').redactText(text)).to.equal(text);
  });

  it('should be redacted with the punctuation at both ends, plain or escaped, but no other punctuation', () => {
    const redact = (text: string): string => createRedactor('--s3cr3t-t0k3n-42.~').redactText(text);

    expect(redact('&#x2d;&#x2d;s3cr3t&#45;t0k3n-42&#x2e;&#126;')).to.equal('[secret]');
    expect(redact('key=%2D%2ds3cr3t%252dt0k3n%2D42%2E%7e&next')).to.equal('key=[secret]&next');
    expect(redact('(-- s3 cr3t t0k3n 42).')).to.equal('(-- [secret]).');
    expect(redact('+--s3cr3t_t0k3n_42.~~')).to.equal('+[secret]~');
  });

  it('should be redacted in a list of bytes, as Node.js serialises a buffer', () => {
    const redacted = createRedactor('hunter2-hunter2').redactJson({
      type: 'Buffer',
      data: [1, 2, ...Buffer.from('hunter2-hunter2'), 3],
    });

    expect(redacted).to.deep.equal({
      type: 'Buffer',
      data: [1, 2, ...Array.from({ length: 15 }, () => '[secret]'), 3],
    });
  });

  it('should not be found in ordinary text', () => {
    // given
    expect(DOCUMENTS.length).to.be.greaterThan(50);
    fc.assert(
      fc.property(
        fc.array(secretArbitrary, { minLength: 1, maxLength: 10 }),
        fc.constantFrom(...DOCUMENTS),
        (secrets, documentText) => {
          // when
          const redacted = createRedactor(...secrets).redactText(documentText);

          // then
          expect(redacted).to.equal(documentText);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('should be found only in their exact form when they consist only of words or only of digits', () => {
    const redacted = createRedactor('postgres-password', '12345678901234').redactText(
      'The postgres password, Postgres-Password, 1234 5678 9012 34, and postgres-password.',
    );

    expect(redacted).to.equal('The postgres password, Postgres-Password, 1234 5678 9012 34, and [secret].');
  });

  it('should be redacted with the characters between their pieces, but nothing else', () => {
    expect(createRedactor('s3cr3t-t0k3n-42').redactText('It is "s3cr3t", “t0k3n”\n42: that is all (3).')).to.equal(
      'It is "[secret]: that is all (3).',
    );
  });

  it('should not be found when the text repeats only their beginning', () => {
    // given: a text that repeats the beginning of the secret and never completes it
    const secret = 'a1'.repeat(30);
    const finder = new SymbolFinder([Uint8Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? 11 : 2))], 38);
    let matchCount = 0;

    // when
    finder.search(
      0,
      Uint8Array.from({ length: 100_000 }, (_, index) => (index % 59 === 58 ? 12 : (index % 59) % 2 === 0 ? 11 : 2)),
      0,
      100_000,
      () => void (matchCount += 1),
    );

    // then
    expect(matchCount).to.equal(0);
    expect(
      new SecretFinder([secret]).find([{ text: `${'a1'.repeat(29)}b`.repeat(1_000), key: undefined, kind: 'text' }]),
    ).to.deep.equal([undefined]);
  });
});
