import { runToCompletion } from '@countersign/model';
import { PIECE_SIZE, SymbolFinder } from './symbol-finder.js';

/** Match in a text, from `start` up to but not including `end`. */
export interface StringMatch {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds many strings in one pass. The time is linear in the length of the searched text, for any strings and any text.
 */
export class MultiStringSearch {
  /** Number of each character that occurs in the strings; 0 for all others. */
  private readonly symbolByCode = new Uint16Array(65_536);
  private readonly finder: SymbolFinder;

  constructor(texts: Iterable<string>) {
    const nonEmptyTexts = [...texts].filter((text) => text !== '');
    let count = 1;
    for (const text of nonEmptyTexts) {
      for (let position = 0; position < text.length; position += 1) {
        const code = text.charCodeAt(position);
        if (this.symbolByCode[code] === 0) this.symbolByCode[code] = count++;
      }
    }
    this.finder = new SymbolFinder(
      nonEmptyTexts.map((text) => this.toSymbols([text])),
      count,
    );
  }

  /** Returns all matches in order; overlapping or adjacent matches are merged. */
  find(text: string): readonly StringMatch[] {
    return this.findInEach([text])[0] ?? NO_MATCHES;
  }

  /** Returns the matches in each text; `undefined` for a text without matches. */
  findInEach(texts: readonly string[]): (StringMatch[] | undefined)[] {
    return runToCompletion(this.findInEachInPieces(texts));
  }

  /** Same as {@link findInEach}, but yields regularly. */
  *findInEachInPieces(texts: readonly string[]): Generator<void, (StringMatch[] | undefined)[]> {
    const matchesByText: ({ start: number; end: number }[] | undefined)[] = new Array(texts.length).fill(undefined);
    const symbols = this.toSymbols(texts);
    yield;
    let textStart = 0;
    let index = 0;
    const onFound = (lastIndex: number, length: number): void => {
      const matches = (matchesByText[index] ??= []);
      const end = lastIndex + 1 - textStart;
      let start = end - length;
      for (let last = matches.at(-1); last !== undefined && last.end >= start; last = matches.at(-1)) {
        start = Math.min(start, last.start);
        matches.pop();
      }
      matches.push({ start, end });
    };
    for (let lastPause = 0; index < texts.length; index += 1) {
      const end = textStart + (texts[index] ?? '').length;
      if (end - lastPause < PIECE_SIZE) {
        this.finder.search(0, symbols, textStart, end, onFound);
      } else {
        yield* this.finder.searchInPieces(0, symbols, textStart, end, onFound);
        lastPause = end;
      }
      textStart = end;
    }
    return matchesByText;
  }

  private toSymbols(texts: readonly string[]): Uint16Array {
    const symbols = new Uint16Array(texts.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const text of texts)
      for (let position = 0; position < text.length; position += 1)
        symbols[offset++] = this.symbolByCode[text.charCodeAt(position)] as number;
    return symbols;
  }
}

const NO_MATCHES: readonly StringMatch[] = Object.freeze([]);
