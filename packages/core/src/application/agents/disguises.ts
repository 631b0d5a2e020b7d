import { symbolsOf } from './text-skeleton.js';

/** Shorter ones, which come of secrets with few letters and digits, are found in too much that is no secret. */
const MIN_SYMBOLS = 10;
/** A secret of letters and digits is told from words and numbers by so many of them, … */
const MIN_MIXED = 12;
/** … and one of letters or digits alone by so many: "postgres password" is no secret where it is two words. */
const MIN_PLAIN = 20;

/**
 * What a secret of at least 8 characters looks like in the skeleton of a text ({@link symbolsOf}) where somebody has
 * changed how it looks: split, in other letters, reversed, encoded (hex, Base64 wherever it begins in what was encoded,
 * numbers of its bytes, ROT13), or encoded twice.
 */
export function disguises(secret: string): Uint8Array[] {
  const reversed = [...secret].reverse().join('');
  const texts = [
    ...(isDistinct(secret) ? [secret, rot13(secret)] : []),
    ...[secret, reversed].flatMap((text) => [
      ...encodings(Buffer.from(text, 'utf8')),
      ...base64(Buffer.from(text, 'utf16le')),
    ]),
    ...encodedOnce(secret).flatMap((text) => encodings(Buffer.from(text, 'latin1'))),
  ];
  const sequences = texts.map(symbolsOf).filter(({ length }) => length >= MIN_SYMBOLS);
  return [...sequences, ...sequences.map((sequence) => sequence.toReversed())];
}

/** Whether nobody writes the letters and digits of a secret by chance. */
function isDistinct(secret: string): boolean {
  const symbols = symbolsOf(secret);
  const digits = symbols.filter((symbol) => symbol <= 10).length;
  return symbols.length >= (digits > 0 && digits < symbols.length ? MIN_MIXED : MIN_PLAIN);
}

function encodings(bytes: Buffer): string[] {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return [
    hex.join(''),
    hex.map((pair) => `0x${pair}`).join(''),
    hex.map((pair) => `x${pair}`).join(''),
    hex.map((pair) => `u00${pair}`).join(''),
    [...bytes].join(''),
    ...base64(bytes),
  ];
}

/** What the Base64 of something holds where the bytes begin at each place of a group of three, without the characters that the bytes around them take part in. */
function base64(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    return shifted.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6));
  });
}

function encodedOnce(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  return [...new Set([bytes.toString('base64'), bytes.toString('base64url'), hex, hex.toUpperCase()])];
}

function rot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
}
