import type { Run } from '../budget.js';
import { order } from '../equality.js';
import { decimal, FeelFunction, finite, isList } from '../values.js';
import { builtin, invoke, itemsOf, type Builtin } from './builtin.js';

type List = readonly unknown[];

function ofItems(name: string, call: (run: Run, items: List) => unknown): Builtin {
  return builtin(name, 'list...', (run, args) => {
    const items = itemsOf(args);
    if (!items) return null;
    run.step(items.length / 8);
    return call(run, items);
  });
}

/** A builtin over numbers; null for none, or where something else is among them. */
function ofNumbers(name: string, call: (numbers: readonly number[]) => unknown): Builtin {
  return ofItems(name, (_run, items) =>
    items.length > 0 && items.every((item) => typeof item === 'number') ? call(items) : null,
  );
}

/** The first of those that `better` prefers; null where two have no order. */
function best(items: List, better: (difference: number) => boolean): unknown {
  let result: unknown = items[0] ?? null;
  if (order(result, result) === null) return null;
  for (const item of items) {
    const difference = order(item, result);
    if (difference === null) return null;
    if (better(difference)) result = item;
  }
  return result;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0);
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? 0, sorted[middle] ?? 0];
  return decimal((low + high) / 2);
}

/** Standard deviation of a sample. */
function deviation(numbers: readonly number[]): number | null {
  if (numbers.length < 2) return null;
  const mean = total(numbers) / numbers.length;
  return finite(Math.sqrt(total(numbers.map((value) => (value - mean) ** 2)) / (numbers.length - 1)));
}

function mode(run: Run, items: List): unknown {
  if (!items.every((item) => typeof item === 'number')) return null;
  const counts = new Map<number, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const most = [...counts.values()].reduce((max, count) => Math.max(max, count), 0);
  run.grow(counts.size);
  return [...counts]
    .filter(([, count]) => count === most)
    .map(([value]) => value)
    .sort((a, b) => a - b);
}

/** Three-valued `and` (deciding false) or `or` (deciding true) over a list. */
function decide(items: List, deciding: boolean): boolean | null {
  let result: boolean | null = !deciding;
  for (const item of items) {
    if (item === deciding) return deciding;
    if (item !== !deciding) result = null;
  }
  return result;
}

/** Stable merge sort by a function that says whether one goes before the other; null where it gives no boolean. */
function sort(run: Run, list: unknown, precedes: unknown): unknown {
  if (!isList(list) || !(precedes instanceof FeelFunction)) return null;
  run.grow(list.length);
  let failed = false;
  const before = (a: unknown, b: unknown): boolean => {
    run.step(1);
    const answer = invoke(run, precedes, [a, b]);
    if (typeof answer !== 'boolean') failed = true;
    return answer === true;
  };
  const sorted = list.toSorted((a, b) => (failed ? 0 : before(a, b) ? -1 : failed ? 0 : before(b, a) ? 1 : 0));
  return failed ? null : sorted;
}

export const aggregateBuiltins: readonly Builtin[] = [
  ofItems('min', (_run, items) => best(items, (difference) => difference < 0)),
  ofItems('max', (_run, items) => best(items, (difference) => difference > 0)),
  ofNumbers('sum', (numbers) => decimal(total(numbers))),
  ofNumbers('product', (numbers) => decimal(numbers.reduce((product, value) => product * value, 1))),
  ofNumbers('mean', (numbers) => decimal(total(numbers) / numbers.length)),
  ofNumbers('median', median),
  ofNumbers('stddev', deviation),
  ofItems('mode', mode),
  ...['all', 'and'].map((name) => ofItems(name, (_run, items) => decide(items, false))),
  ...['any', 'or'].map((name) => ofItems(name, (_run, items) => decide(items, true))),
  builtin('sort', 'list, precedes', sort),
];
