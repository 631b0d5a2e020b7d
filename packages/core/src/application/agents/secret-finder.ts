import { runToCompletion } from '@countersign/model';
import { buildEncodedSymbolForms } from './build-encoded-symbol-forms.js';
import { MultiStringSearch, type StringMatch } from './multi-string-search.js';
import { buildSecretForms } from './secret-forms.js';
import { findJsonStrings } from './json-strings.js';
import { SecretEdges } from './secret-edges.js';
import { PIECE_SIZE, SymbolFinder } from './symbol-finder.js';
import { hasEscapes, buildSkeletons, SYMBOL_COUNT, type TextSkeletons } from './text-skeleton.js';

/** String, number or member name in a JSON value. */
export interface TextLeaf {
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
  readonly #exactSearch: MultiStringSearch;
  readonly #encodedFinder: SymbolFinder;
  readonly #edges: SecretEdges;

  constructor(secrets: readonly string[]) {
    this.#exactSearch = new MultiStringSearch(new Set(secrets.flatMap((secret) => [...buildSecretForms(secret)])));
    this.#encodedFinder = new SymbolFinder(
      secrets.flatMap((secret) => (buildSecretForms(secret).size === 0 ? [] : buildEncodedSymbolForms(secret))),
      SYMBOL_COUNT,
    );
    this.#edges = new SecretEdges(secrets);
  }

  /** @returns the matches in each text, ordered and without overlaps; `undefined` for a text without matches */
  find(leaves: readonly TextLeaf[]): (readonly StringMatch[] | undefined)[] {
    return runToCompletion(this.findInPieces(leaves));
  }

  /** Same as {@link find}, but yields regularly. */
  *findInPieces(leaves: readonly TextLeaf[]): Generator<void, (readonly StringMatch[] | undefined)[]> {
    const texts = leaves.map(({ text }) => text);
    const exact = yield* this.#exactSearch.findInEachInPieces(texts);
    const matchesByLeaf: (StringMatch[] | undefined)[] = new Array(texts.length).fill(undefined);
    yield* this.#findEncoded(yield* buildSkeletons(texts, false), leaves, matchesByLeaf, () => true);
    if (texts.some(hasEscapes)) {
      const decoded = yield* buildSkeletons(texts, true);
      // Texts without escapes were already searched, except across their boundaries.
      if (decoded.isDecoded.includes(true))
        yield* this.#findEncoded(decoded, leaves, matchesByLeaf, (index) => decoded.isDecoded[index] === true);
    }
    yield* this.#findInEmbeddedJson(texts, matchesByLeaf);
    return matchesByLeaf.map((found, index) =>
      mergeMatches([
        ...(exact[index] ?? []),
        ...(found ?? []).map((match) => this.#edges.extendMatch(texts[index] ?? '', match)),
      ]),
    );
  }

  /**
   * Searches JSON inside texts, because many tools return JSON as a string. Finds only secrets that are split over
   * several JSON strings; the search of the whole text has found the others.
   */
  *#findInEmbeddedJson(texts: readonly string[], matchesByLeaf: (StringMatch[] | undefined)[]): Generator<void, void> {
    for (const [index, text] of texts.entries()) {
      const strings = text.includes('":') || text.includes('" :') ? findJsonStrings(text) : [];
      if (strings.length < 2) continue;
      const embeddedTexts = strings.map(({ start, end }) => text.slice(start, end));
      const leaves = strings.map(({ key, isKey }, stringIndex): TextLeaf => ({
        text: embeddedTexts[stringIndex] ?? '',
        key,
        kind: isKey ? 'key' : 'text',
      }));
      const found: (StringMatch[] | undefined)[] = new Array(strings.length).fill(undefined);
      for (const decode of embeddedTexts.some(hasEscapes) ? [false, true] : [false])
        yield* this.#findEncoded(yield* buildSkeletons(embeddedTexts, decode), leaves, found, () => false);
      for (const [stringIndex, { start }] of strings.entries()) {
        for (const match of found[stringIndex] ?? [])
          (matchesByLeaf[index] ??= []).push({ start: start + match.start, end: start + match.end });
      }
    }
  }

  /**
   * @param shouldSearchWhole whether to search the whole text instead of only its start and end, where part of a split
   * secret may be
   */
  *#findEncoded(
    skeletons: TextSkeletons,
    leaves: readonly TextLeaf[],
    matchesByLeaf: (StringMatch[] | undefined)[],
    shouldSearchWhole: (index: number) => boolean,
  ): Generator<void, void> {
    const indexes = [...leaves.keys()];
    const isText = (index: number): boolean => leaves[index]?.kind === 'text';
    const isKey = (index: number): boolean => leaves[index]?.kind === 'key';
    const never = (): boolean => false;
    yield* this.#searchGroup(indexes.filter(isText), skeletons, matchesByLeaf, shouldSearchWhole);
    if (leaves.length < 2) return;
    yield* this.#searchGroup(indexes.filter(isKey), skeletons, matchesByLeaf, shouldSearchWhole);
    yield* this.#searchGroup(
      indexes.filter((index) => !isKey(index)),
      skeletons,
      matchesByLeaf,
      never,
    );
    for (const group of groupByKey(leaves))
      if (group.length > 1) yield* this.#searchGroup(group, skeletons, matchesByLeaf, never);
  }

  /** Searches several texts as if they were one. */
  *#searchGroup(
    group: readonly number[],
    skeletons: TextSkeletons,
    matchesByLeaf: (StringMatch[] | undefined)[],
    shouldSearchWhole: (index: number) => boolean,
  ): Generator<void, void> {
    const { symbols, offsets } = skeletons;
    const { maxSequenceLength } = this.#encodedFinder;
    let state = 0;
    let groupIndex = 0;
    let symbolsSincePause = 0;
    const onFound = (lastIndex: number, count: number): void =>
      addMatches(group, groupIndex, lastIndex, count, skeletons, matchesByLeaf);
    for (; groupIndex < group.length; groupIndex += 1) {
      const index = group[groupIndex] as number;
      const [from, to] = [offsets[index] as number, offsets[index + 1] as number];
      if (to - from <= 2 * maxSequenceLength || shouldSearchWhole(index)) {
        symbolsSincePause += to - from;
        if (symbolsSincePause < PIECE_SIZE) {
          state = this.#encodedFinder.search(state, symbols, from, to, onFound);
        } else {
          state = yield* this.#encodedFinder.searchInPieces(state, symbols, from, to, onFound);
          symbolsSincePause = 0;
        }
      } else {
        this.#encodedFinder.search(state, symbols, from, from + maxSequenceLength, onFound);
        state = this.#encodedFinder.search(0, symbols, to - maxSequenceLength, to, onFound);
      }
    }
  }
}

/** Records a match of `count` symbols that ends in a text of a group, including its parts in earlier texts. */
function addMatches(
  group: readonly number[],
  lastGroupIndex: number,
  lastIndex: number,
  count: number,
  { starts, ends, offsets }: TextSkeletons,
  matchesByLeaf: (StringMatch[] | undefined)[],
): void {
  let remaining = count;
  let end = lastIndex;
  for (let groupIndex = lastGroupIndex; remaining > 0 && groupIndex >= 0; groupIndex -= 1) {
    const index = group[groupIndex] ?? 0;
    const first = Math.max(offsets[index] ?? 0, end - remaining + 1);
    if (end >= first) (matchesByLeaf[index] ??= []).push({ start: starts[first] ?? 0, end: ends[end] ?? 0 });
    remaining -= end - first + 1;
    end = (offsets[(group[groupIndex - 1] ?? 0) + 1] ?? 0) - 1;
  }
}

function groupByKey(leaves: readonly TextLeaf[]): Iterable<readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, { key, kind }] of leaves.entries()) {
    if (key === undefined || kind === 'key') continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  return groups.values();
}

function mergeMatches(matches: readonly StringMatch[]): readonly StringMatch[] | undefined {
  if (matches.length < 2) return matches.length === 0 ? undefined : matches;
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of matches.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}
