import { atOnce } from '@countersign/model';
import { disguises } from './disguises.js';
import { MultiStringSearch, type StringMatch } from './multi-string-search.js';
import { secretForms } from './secret-forms.js';
import { jsonStrings } from './json-strings.js';
import { SecretEdges } from './secret-edges.js';
import { PIECE, SymbolFinder } from './symbol-finder.js';
import { hasEscapes, skeletonsOf, SYMBOLS, type Skeletons } from './text-skeleton.js';

/** String, number or member name in a JSON value. */
export interface Leaf {
  readonly text: string;
  /** Name of the member that contains the text, directly or in a list; `undefined` if there is no such member. */
  readonly key: string | undefined;
  readonly kind: 'text' | 'number' | 'key';
}

/**
 * Finds secrets in texts: unchanged or disguised, within one text or split over several. A split secret may continue in
 * the next text, in the next text under the same member name, or in the next member name. The time is linear in the
 * total length.
 */
export class SecretFinder {
  readonly #exact: MultiStringSearch;
  readonly #disguised: SymbolFinder;
  readonly #edges: SecretEdges;

  constructor(secrets: readonly string[]) {
    this.#exact = new MultiStringSearch(new Set(secrets.flatMap((secret) => [...secretForms(secret)])));
    this.#disguised = new SymbolFinder(
      secrets.flatMap((secret) => (secretForms(secret).size === 0 ? [] : disguises(secret))),
      SYMBOLS,
    );
    this.#edges = new SecretEdges(secrets);
  }

  /** @returns the matches in each text, ordered and without overlaps; `undefined` for a text without matches */
  find(leaves: readonly Leaf[]): (readonly StringMatch[] | undefined)[] {
    return atOnce(this.findInPieces(leaves));
  }

  /** Same as {@link find}, but yields regularly. */
  *findInPieces(leaves: readonly Leaf[]): Generator<void, (readonly StringMatch[] | undefined)[]> {
    const texts = leaves.map(({ text }) => text);
    const exact = yield* this.#exact.findInEachInPieces(texts);
    const places: (StringMatch[] | undefined)[] = new Array(texts.length).fill(undefined);
    yield* this.#findDisguised(yield* skeletonsOf(texts, false), leaves, places, () => true);
    if (texts.some(hasEscapes)) {
      const decoded = yield* skeletonsOf(texts, true);
      // Texts without escapes were already searched, except across their boundaries.
      if (decoded.isDecoded.includes(true))
        yield* this.#findDisguised(decoded, leaves, places, (index) => decoded.isDecoded[index] === true);
    }
    yield* this.#findInsideTexts(texts, places);
    return places.map((found, index) =>
      merged([...(exact[index] ?? []), ...(found ?? []).map((place) => this.#edges.around(texts[index] ?? '', place))]),
    );
  }

  /**
   * Searches JSON inside texts, because many tools return JSON as a string. Only secrets split over several JSON
   * strings are still to be found.
   */
  *#findInsideTexts(texts: readonly string[], places: (StringMatch[] | undefined)[]): Generator<void, void> {
    for (const [index, text] of texts.entries()) {
      const strings = text.includes('":') || text.includes('" :') ? jsonStrings(text) : [];
      if (strings.length < 2) continue;
      const inside = strings.map(({ start, end }) => text.slice(start, end));
      const leaves = strings.map(({ key, isKey }, at): Leaf => ({
        text: inside[at] ?? '',
        key,
        kind: isKey ? 'key' : 'text',
      }));
      const found: (StringMatch[] | undefined)[] = new Array(strings.length).fill(undefined);
      for (const decode of inside.some(hasEscapes) ? [false, true] : [false])
        yield* this.#findDisguised(yield* skeletonsOf(inside, decode), leaves, found, () => false);
      for (const [at, { start }] of strings.entries()) {
        for (const place of found[at] ?? [])
          (places[index] ??= []).push({ start: start + place.start, end: start + place.end });
      }
    }
  }

  /** @param isWhole whether to search the whole text, or only its start and end, where a part of a secret may be */
  *#findDisguised(
    skeletons: Skeletons,
    leaves: readonly Leaf[],
    places: (StringMatch[] | undefined)[],
    isWhole: (index: number) => boolean,
  ): Generator<void, void> {
    const all = [...leaves.keys()];
    const isText = (index: number): boolean => leaves[index]?.kind === 'text';
    const isKey = (index: number): boolean => leaves[index]?.kind === 'key';
    const never = (): boolean => false;
    yield* this.#follow(all.filter(isText), skeletons, places, isWhole);
    if (leaves.length < 2) return;
    yield* this.#follow(all.filter(isKey), skeletons, places, isWhole);
    yield* this.#follow(
      all.filter((index) => !isKey(index)),
      skeletons,
      places,
      never,
    );
    for (const group of byKey(leaves)) if (group.length > 1) yield* this.#follow(group, skeletons, places, never);
  }

  /** Searches several texts as if they were one. */
  *#follow(
    group: readonly number[],
    skeletons: Skeletons,
    places: (StringMatch[] | undefined)[],
    isWhole: (index: number) => boolean,
  ): Generator<void, void> {
    const { symbols, offsets } = skeletons;
    const { longest } = this.#disguised;
    let state = 0;
    let place = 0;
    let sincePause = 0;
    const onFound = (last: number, count: number): void => mark(group, place, last, count, skeletons, places);
    for (; place < group.length; place += 1) {
      const index = group[place] as number;
      const [from, to] = [offsets[index] as number, offsets[index + 1] as number];
      if (to - from <= 2 * longest || isWhole(index)) {
        sincePause += to - from;
        if (sincePause < PIECE) {
          state = this.#disguised.search(state, symbols, from, to, onFound);
        } else {
          state = yield* this.#disguised.searchInPieces(state, symbols, from, to, onFound);
          sincePause = 0;
        }
      } else {
        this.#disguised.search(state, symbols, from, from + longest, onFound);
        state = this.#disguised.search(0, symbols, to - longest, to, onFound);
      }
    }
  }
}

/** Records the matches of a number of symbols that end in a text of a group, including their parts in earlier texts. */
function mark(
  group: readonly number[],
  place: number,
  last: number,
  count: number,
  { starts, ends, offsets }: Skeletons,
  places: (StringMatch[] | undefined)[],
): void {
  let rest = count;
  let end = last;
  for (let at = place; rest > 0 && at >= 0; at -= 1) {
    const index = group[at] ?? 0;
    const first = Math.max(offsets[index] ?? 0, end - rest + 1);
    if (end >= first) (places[index] ??= []).push({ start: starts[first] ?? 0, end: ends[end] ?? 0 });
    rest -= end - first + 1;
    end = (offsets[(group[at - 1] ?? 0) + 1] ?? 0) - 1;
  }
}

function byKey(leaves: readonly Leaf[]): Iterable<readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, { key, kind }] of leaves.entries()) {
    if (key === undefined || kind === 'key') continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  return groups.values();
}

function merged(places: readonly StringMatch[]): readonly StringMatch[] | undefined {
  if (places.length < 2) return places.length === 0 ? undefined : places;
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}
