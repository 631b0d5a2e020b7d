import { runToCompletion } from '@countersign/model';
import { readEscape } from './read-escape.js';
import { PIECE_SIZE } from './symbol-finder.js';

/**
 * Letters and digits of texts, in lower case and without separators. A text split by spaces, lines, punctuation or
 * zero-width characters has the same skeleton as the unsplit text.
 */
export interface TextSkeletons {
  /** Symbols of all texts, concatenated. 1 to 10: digits; 11 to 36: letters a to z; 37: any other letter or digit. */
  readonly symbols: Uint8Array;
  /** Start and end of the character of each symbol in its text. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Index of the first symbol of each text, followed by the total number of symbols. */
  readonly offsets: Int32Array;
  /** Whether each text contains decoded escapes. */
  readonly isDecoded: readonly boolean[];
}

/** Number of different symbols, including 0 for no symbol. */
export const SYMBOL_COUNT = 38;
const OTHER_SYMBOL = 37;

const ASCII_SYMBOLS = Uint8Array.from({ length: 128 }, (_, code) => toSymbol(String.fromCharCode(code)));

/**
 * Cache of the symbols of non-ASCII and decoded characters: their letters and digits without accents, in normal width
 * and style.
 */
const symbolsByCharacter = new Map<number, readonly number[]>();
/** Maximum cache size, so that a text with every possible character cannot fill the memory. */
const MAX_CACHED_CHARACTERS = 10_000;

/**
 * Builds the skeletons of texts. Yields regularly.
 *
 * @param decode whether to use the decoded characters of escapes instead of the letters and digits of the escapes
 */
export function* buildSkeletons(texts: readonly string[], decode: boolean): Generator<void, TextSkeletons> {
  const builder = new SkeletonBuilder(texts.reduce((sum, { length }) => sum + length, 0));
  const offsets = new Int32Array(texts.length + 1);
  const isDecoded: boolean[] = [];
  let charactersSincePause = 0;
  for (const [index, text] of texts.entries()) {
    let wasDecoded = false;
    for (let position = 0; position < text.length;) {
      const end = Math.min(text.length, position + PIECE_SIZE - charactersSincePause);
      const piece = readPiece(text, position, end, decode, builder);
      wasDecoded ||= piece.wasDecoded;
      charactersSincePause += piece.end - position;
      position = piece.end;
      if (charactersSincePause >= PIECE_SIZE) {
        charactersSincePause = 0;
        yield;
      }
    }
    isDecoded.push(wasDecoded);
    offsets[index + 1] = builder.length;
  }
  return { ...builder.build(), offsets, isDecoded };
}

/**
 * Reads a part of a text, including an escape or character that starts in it.
 *
 * @returns the end of the part, and whether it contained an escape
 */
function readPiece(
  text: string,
  from: number,
  to: number,
  decode: boolean,
  builder: SkeletonBuilder,
): { readonly end: number; readonly wasDecoded: boolean } {
  let wasDecoded = false;
  let position = from;
  while (position < to) {
    const code = text.charCodeAt(position);
    if (decode && (code === 0x25 || code === 0x26 || code === 0x5c)) {
      const { decodedCharacter, end, isEscape } = readEscape(text, position);
      wasDecoded ||= isEscape;
      if (decodedCharacter !== undefined) builder.addCharacter(decodedCharacter, position, end);
      position = end;
    } else if (code < 128) {
      const symbol = ASCII_SYMBOLS[code] ?? 0;
      if (symbol !== 0) builder.add(symbol, position, position + 1);
      position += 1;
    } else {
      const character = text.codePointAt(position) ?? code;
      const end = position + (character > 0xffff ? 2 : 1);
      builder.addCharacter(character, position, end);
      position = end;
    }
  }
  return { end: position, wasDecoded };
}

/** Returns the symbols of a text without decoding its escapes. */
export function toSymbols(text: string): Uint8Array {
  const { symbols, offsets } = runToCompletion(buildSkeletons([text], false));
  return symbols.slice(0, offsets[1]);
}

/** Returns whether a text may contain escapes. */
export function hasEscapes(text: string): boolean {
  return text.includes('%') || text.includes('\\') || text.includes('&');
}

class SkeletonBuilder {
  #symbols: Uint8Array;
  #starts: Int32Array;
  #ends: Int32Array;
  #length = 0;

  constructor(capacity: number) {
    this.#symbols = new Uint8Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
  }

  add(symbol: number, start: number, end: number): void {
    if (this.#length === this.#symbols.length) this.#grow();
    this.#symbols[this.#length] = symbol;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length += 1;
  }

  addCharacter(character: number, start: number, end: number): void {
    for (const symbol of characterToSymbols(character)) this.add(symbol, start, end);
  }

  get length(): number {
    return this.#length;
  }

  build(): Pick<TextSkeletons, 'symbols' | 'starts' | 'ends'> {
    return { symbols: this.#symbols, starts: this.#starts, ends: this.#ends };
  }

  /** Grows the buffers, because a ligature is one character with several letters. */
  #grow(): void {
    const capacity = 2 * this.#symbols.length + 16;
    const [symbols, starts, ends] = [new Uint8Array(capacity), new Int32Array(capacity), new Int32Array(capacity)];
    symbols.set(this.#symbols);
    starts.set(this.#starts);
    ends.set(this.#ends);
    [this.#symbols, this.#starts, this.#ends] = [symbols, starts, ends];
  }
}

function characterToSymbols(character: number): readonly number[] {
  const cached = symbolsByCharacter.get(character);
  if (cached !== undefined) return cached;
  const text = String.fromCodePoint(character);
  const letters = [...text.normalize('NFKD')].map(toSymbol).filter((symbol) => symbol !== 0);
  // A lone accent is not a letter. If the decomposed character contains ASCII letters, only these are used.
  const asciiLetters = letters.filter((symbol) => symbol !== OTHER_SYMBOL);
  const symbols = asciiLetters.length > 0 ? asciiLetters : letters.slice(0, 1);
  if (symbolsByCharacter.size >= MAX_CACHED_CHARACTERS) symbolsByCharacter.clear();
  symbolsByCharacter.set(character, symbols);
  return symbols;
}

function toSymbol(character: string): number {
  const code = character.toLowerCase().charCodeAt(0);
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 1;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61 + 11;
  return /^[\p{L}\p{N}]$/u.test(character) ? OTHER_SYMBOL : 0;
}
