import type { StringMatch } from './multi-string-search.js';
import { readEscape } from './read-escape.js';
import { symbolsOf } from './text-skeleton.js';

/** The longest escape of one punctuation character that is looked for in front of a secret: `&amp;#x0000002d;`. */
const MAX_ESCAPE = 16;

/**
 * The punctuation that secrets begin and end with. A disguised secret is found by its letters and digits, so that what
 * stands before the first and behind the last of them has to be added to the place.
 */
export class SecretEdges {
  readonly #characters: ReadonlySet<string>;
  /** Characters in the longest run at either end of a secret. */
  readonly #longest: number;

  constructor(secrets: readonly string[]) {
    const runs = secrets.flatMap((secret) => [edge([...secret]), edge([...secret].reverse())]);
    // Spaces stay: they separate one secret from the next.
    this.#characters = new Set(runs.flat().filter((character) => character.trim() !== ''));
    this.#longest = runs.reduce((longest, { length }) => Math.max(longest, length), 0);
  }

  /** @returns the place of a secret with the punctuation on both sides, plain or escaped, that may belong to it */
  around(text: string, { start, end }: StringMatch): StringMatch {
    let [first, last] = [start, end];
    for (let count = 0; count < this.#longest && first > 0; count += 1) first = this.#before(text, first);
    for (let count = 0; count < this.#longest && last < text.length; count += 1) last = this.#behind(text, last);
    return { start: first, end: last };
  }

  #behind(text: string, at: number): number {
    const escape = this.#endOfEscape(text, at);
    if (escape !== undefined) return escape;
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    return this.#characters.has(character) ? at + character.length : at;
  }

  #before(text: string, at: number): number {
    for (let from = Math.max(0, at - MAX_ESCAPE); from < at - 1; from += 1)
      if (this.#endOfEscape(text, from) === at) return from;
    const character = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
    return this.#characters.has(character) ? at - character.length : at;
  }

  /** Where the escape of such a character that begins at a place ends; `undefined` where none begins. */
  #endOfEscape(text: string, at: number): number | undefined {
    if (!'%&\\'.includes(text[at] ?? ' ')) return undefined;
    const { character, end, isEscape } = readEscape(text, at);
    if (!isEscape) return undefined;
    // Named entities are read as separators, without the character.
    const isEdge =
      character === undefined
        ? text[at] === '&' && text.slice(at, end) !== '&nbsp;'
        : this.#characters.has(String.fromCodePoint(character));
    return isEdge ? end : undefined;
  }
}

/** The characters before the first letter or digit. */
function edge(characters: readonly string[]): readonly string[] {
  const first = characters.findIndex((character) => symbolsOf(character).length > 0);
  return first === -1 ? [] : characters.slice(0, first);
}
