import { toSymbols } from './text-skeleton.js';

/**
 * Minimum length of a symbol sequence. Shorter sequences, from secrets with few letters and digits, cause false
 * matches.
 */
const MIN_SYMBOLS = 10;
/** Minimum length of a secret with both letters and digits, to distinguish it from words and numbers. */
const MIN_MIXED_SYMBOLS = 12;
/** Minimum length of a secret with only letters or only digits: "postgres password" as two words is not a secret. */
const MIN_UNIFORM_SYMBOLS = 20;

/**
 * Returns the symbol sequences ({@link toSymbols}) of the disguised forms of a secret of at least 8 characters: split,
 * in lookalike letters, reversed, encoded (hex, Base64 at any offset, byte numbers, ROT13), or encoded twice.
 */
export function buildEncodedSymbolForms(secret: string): Uint8Array[] {
  const reversed = [...secret].reverse().join('');
  const texts = [
    ...(isDistinctive(secret) ? [secret, rot13(secret)] : []),
    ...[secret, reversed].flatMap((text) => [
      ...buildBinaryTextForms(Buffer.from(text, 'utf8')),
      ...buildBase64Forms(Buffer.from(text, 'utf16le')),
    ]),
    ...buildSingleEncodings(secret).flatMap((text) => buildBinaryTextForms(Buffer.from(text, 'latin1'))),
  ];
  const sequences = texts.map(toSymbols).filter(({ length }) => length >= MIN_SYMBOLS);
  return [...sequences, ...sequences.map((sequence) => sequence.toReversed())];
}

/** Returns whether the letters and digits of a secret are unlikely to occur by chance. */
function isDistinctive(secret: string): boolean {
  const symbols = toSymbols(secret);
  const digits = symbols.filter((symbol) => symbol <= 10).length;
  return symbols.length >= (digits > 0 && digits < symbols.length ? MIN_MIXED_SYMBOLS : MIN_UNIFORM_SYMBOLS);
}

function buildBinaryTextForms(bytes: Buffer): string[] {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return [
    hex.join(''),
    hex.map((pair) => `0x${pair}`).join(''),
    hex.map((pair) => `x${pair}`).join(''),
    hex.map((pair) => `u00${pair}`).join(''),
    [...bytes].join(''),
    ...buildBase64Forms(bytes),
  ];
}

/**
 * Returns the Base64 of the bytes at each of the three offsets in a group, without the characters that also encode
 * neighbouring bytes.
 */
function buildBase64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    return shifted.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6));
  });
}

function buildSingleEncodings(secret: string): string[] {
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
