import type { StringMatch } from './multi-string-search.js';
import { readEscape } from './read-escape.js';
import { toSymbols } from './text-skeleton.js';

/** Length of the longest escape of a punctuation character that is recognised before a secret: `&amp;#x0000002d;`. */
const MAX_ESCAPE_CHARACTERS = 16;

/**
 * Punctuation that secrets start and end with. A disguised secret is found by its letters and digits, so the
 * punctuation before the first and after the last of them must be added to the match.
 */
export class SecretEdges {
  readonly #characters: ReadonlySet<string>;
  /** Length of the longest punctuation run at either end of a secret, in characters. */
  readonly #maxRunLength: number;

  constructor(secrets: readonly string[]) {
    const edgeRuns = secrets.flatMap((secret) => [
      findLeadingNonSymbols([...secret]),
      findLeadingNonSymbols([...secret].reverse()),
    ]);
    // Spaces are excluded, because they separate one secret from the next.
    this.#characters = new Set(edgeRuns.flat().filter((character) => character.trim() !== ''));
    this.#maxRunLength = edgeRuns.reduce((longest, { length }) => Math.max(longest, length), 0);
  }

  /** @returns the match extended by the punctuation on both sides, plain or escaped, that may belong to the secret */
  extendMatch(text: string, { start, end }: StringMatch): StringMatch {
    let [first, last] = [start, end];
    for (let count = 0; count < this.#maxRunLength && first > 0; count += 1) first = this.#skipBackward(text, first);
    for (let count = 0; count < this.#maxRunLength && last < text.length; count += 1)
      last = this.#skipForward(text, last);
    return { start: first, end: last };
  }

  #skipForward(text: string, position: number): number {
    const escapeEnd = this.#findEscapeEnd(text, position);
    if (escapeEnd !== undefined) return escapeEnd;
    const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
    return this.#characters.has(character) ? position + character.length : position;
  }

  #skipBackward(text: string, position: number): number {
    for (let from = Math.max(0, position - MAX_ESCAPE_CHARACTERS); from < position - 1; from += 1)
      if (this.#findEscapeEnd(text, from) === position) return from;
    const character = [...text.slice(Math.max(0, position - 2), position)].at(-1) ?? '';
    return this.#characters.has(character) ? position - character.length : position;
  }

  /** Returns the end of the escape of an edge character that starts at an index, or `undefined`. */
  #findEscapeEnd(text: string, position: number): number | undefined {
    if (!'%&\\'.includes(text[position] ?? ' ')) return undefined;
    const { decodedCharacter, end, isEscape } = readEscape(text, position);
    if (!isEscape) return undefined;
    // Named entities are read as separators, without their character.
    const isEdge =
      decodedCharacter === undefined
        ? text[position] === '&' && text.slice(position, end) !== '&nbsp;'
        : this.#characters.has(String.fromCodePoint(decodedCharacter));
    return isEdge ? end : undefined;
  }
}

/** Returns the characters before the first letter or digit, or none if there is no letter or digit. */
function findLeadingNonSymbols(characters: readonly string[]): readonly string[] {
  const first = characters.findIndex((character) => toSymbols(character).length > 0);
  return first === -1 ? [] : characters.slice(0, first);
}
