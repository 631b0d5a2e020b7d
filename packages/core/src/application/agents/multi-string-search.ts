import { atOnce } from '@countersign/model';
import { PIECE, SymbolFinder } from './symbol-finder.js';

/** Match in a text, from `start` up to but not including `end`. */
export interface StringMatch {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds many strings in one pass. The time is linear in the length of the searched text, whatever the strings and the
 * text are.
 */
export class MultiStringSearch {
  /** Number of each character that occurs in the strings; 0 for all others. */
  private readonly symbols = new Uint16Array(65_536);
  private readonly finder: SymbolFinder;

  constructor(texts: Iterable<string>) {
    const all = [...texts].filter((text) => text !== '');
    let count = 1;
    for (const text of all) {
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (this.symbols[code] === 0) this.symbols[code] = count++;
      }
    }
    this.finder = new SymbolFinder(
      all.map((text) => this.symbolsOf([text])),
      count,
    );
  }

  /** Returns all matches in order; overlapping or adjacent matches are merged. */
  find(text: string): readonly StringMatch[] {
    return this.findInEach([text])[0] ?? NOTHING;
  }

  /** Returns the matches in each text; `undefined` for a text without matches. */
  findInEach(texts: readonly string[]): (StringMatch[] | undefined)[] {
    return atOnce(this.findInEachInPieces(texts));
  }

  /** Same as {@link findInEach}, but yields regularly. */
  *findInEachInPieces(texts: readonly string[]): Generator<void, (StringMatch[] | undefined)[]> {
    const places: ({ start: number; end: number }[] | undefined)[] = new Array(texts.length).fill(undefined);
    const symbols = this.symbolsOf(texts);
    yield;
    let begin = 0;
    let index = 0;
    const onFound = (at: number, length: number): void => {
      const found = (places[index] ??= []);
      const end = at + 1 - begin;
      let start = end - length;
      for (let last = found.at(-1); last !== undefined && last.end >= start; last = found.at(-1)) {
        start = Math.min(start, last.start);
        found.pop();
      }
      found.push({ start, end });
    };
    for (let lastPause = 0; index < texts.length; index += 1) {
      const end = begin + (texts[index] ?? '').length;
      if (end - lastPause < PIECE) {
        this.finder.search(0, symbols, begin, end, onFound);
      } else {
        yield* this.finder.searchInPieces(0, symbols, begin, end, onFound);
        lastPause = end;
      }
      begin = end;
    }
    return places;
  }

  private symbolsOf(texts: readonly string[]): Uint16Array {
    const symbols = new Uint16Array(texts.reduce((sum, { length }) => sum + length, 0));
    let place = 0;
    for (const text of texts)
      for (let at = 0; at < text.length; at += 1) symbols[place++] = this.symbols[text.charCodeAt(at)] as number;
    return symbols;
  }
}

const NOTHING: readonly StringMatch[] = Object.freeze([]);
