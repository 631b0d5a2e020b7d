import { atOnce } from '@countersign/model';
import { disguises } from './disguises.js';
import { MultiStringSearch, type StringMatch } from './multi-string-search.js';
import { secretForms } from './secret-forms.js';
import { jsonStrings } from './json-strings.js';
import { SecretEdges } from './secret-edges.js';
import { PIECE, SymbolFinder } from './symbol-finder.js';
import { hasEscapes, skeletonsOf, SYMBOLS, type Skeletons } from './text-skeleton.js';

/** A text of a value of JSON, or a number in it. */
export interface Leaf {
  readonly text: string;
  /** The name of the member that it stands in, also in a list; `undefined` where there is none. */
  readonly key: string | undefined;
  readonly kind: 'text' | 'number' | 'key';
}

/**
 * Finds secrets in texts, as they are in each of them, and disguised, also split over several of them: over texts one after
 * the other, over those of members of the same name, and over names of members. The time is linear in the length of all.
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

  /** @returns the places of secrets in each text, in their order, none of which overlap; `undefined` where there are none */
  find(leaves: readonly Leaf[]): (readonly StringMatch[] | undefined)[] {
    return atOnce(this.findInPieces(leaves));
  }

  /** As {@link find}, but yields now and then. */
  *findInPieces(leaves: readonly Leaf[]): Generator<void, (readonly StringMatch[] | undefined)[]> {
    const texts = leaves.map(({ text }) => text);
    const exact = yield* this.#exact.findInEachInPieces(texts);
    const places: (StringMatch[] | undefined)[] = new Array(texts.length).fill(undefined);
    yield* this.#findDisguised(yield* skeletonsOf(texts, false), leaves, places, () => true);
    if (texts.some(hasEscapes)) {
      const decoded = yield* skeletonsOf(texts, true);
      // What has no escapes was searched already, but for what goes from one text to another.
      if (decoded.isDecoded.includes(true))
        yield* this.#findDisguised(decoded, leaves, places, (index) => decoded.isDecoded[index] === true);
    }
    yield* this.#findInsideTexts(texts, places);
    return places.map((found, index) =>
      merged([...(exact[index] ?? []), ...(found ?? []).map((place) => this.#edges.around(texts[index] ?? '', place))]),
    );
  }

  /** Many tools give JSON as a text. What is in one of its strings was found already, but not what goes from one to another. */
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

  /** @param isWhole whether all of a text is searched, or only where it may begin or end with a part of a secret */
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

  /** Searches some texts as if they were one. */
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

/** Marks what so many symbols stand for of which the last is in some text of a group, also in the texts before it. */
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
