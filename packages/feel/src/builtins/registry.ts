import { aggregateBuiltins } from './aggregates.js';
import type { Builtin } from './builtin.js';
import { contextBuiltins } from './contexts.js';
import { conversionBuiltins } from './conversion.js';
import { listBuiltins } from './lists.js';
import { moneyBuiltins } from './money.js';
import { numberBuiltins } from './numbers.js';
import { patternBuiltins } from './patterns.js';
import { rangeBuiltins } from './ranges.js';
import { stringBuiltins } from './strings.js';
import { temporalBuiltins } from './temporal.js';

const registry = new Map<string, Builtin[]>();
for (const overload of [
  ...aggregateBuiltins,
  ...contextBuiltins,
  ...conversionBuiltins,
  ...listBuiltins,
  ...moneyBuiltins,
  ...numberBuiltins,
  ...patternBuiltins,
  ...rangeBuiltins,
  ...stringBuiltins,
  ...temporalBuiltins,
]) {
  registry.set(overload.name, [...(registry.get(overload.name) ?? []), overload]);
}

/** Returns the overloads of a builtin, or `undefined` if no builtin has that name. */
export function findOverloads(name: string): readonly Builtin[] | undefined {
  return registry.get(name);
}

/** Names of all builtins, sorted. */
export const BUILTIN_NAMES: readonly string[] = Object.freeze([...registry.keys()].sort());

/**
 * Builtins of DMN, of later Zeebe versions or of Countersign (`format money`) that Zeebe 8.6 does not have. In Zeebe
 * 8.6, a call of one of them returns null.
 */
export const BUILTINS_BEYOND_ZEEBE_8_6: readonly string[] = Object.freeze([
  'format money',
  'is',
  'is blank',
  'list replace',
  'partition',
]);

/** Builtins of Camunda's FEEL that a replayable run cannot use. */
export const REFUSED_BUILTINS: ReadonlyMap<string, string> = new Map([
  [
    'uuid',
    'uuid() returns a different value each time, but a replayed run must get the same value; let a job or the start payload provide the id',
  ],
  [
    'random number',
    'random number() returns a different value each time, but a replayed run must get the same value; let a job provide the number',
  ],
]);

/**
 * Returns the name of the builtin that is most similar to an unknown name, or `undefined` if none is similar enough.
 */
export function findSuggestion(name: string): string | undefined {
  const normalizedName = name.toLowerCase().replace(/[\s_]/g, '');
  const candidates = BUILTIN_NAMES.map((known) => ({
    known,
    distance: computeLevenshteinDistance(normalizedName, known.replace(/\s/g, '')),
  }));
  const best = candidates.reduce((a, b) => (b.distance < a.distance ? b : a));
  return best.distance <= Math.max(1, Math.floor(normalizedName.length / 4)) ? best.known : undefined;
}

/**
 * Returns the Levenshtein distance, or a very large number without comparing the names if their lengths differ by more
 * than 8.
 */
function computeLevenshteinDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return Number.MAX_SAFE_INTEGER;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, char] of Array.from(a).entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const substitutionCost = (row[j] ?? 0) + (char === b[j] ? 0 : 1);
      next.push(Math.min(substitutionCost, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
