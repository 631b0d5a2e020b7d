import type { Run } from '../budget.js';
import { order } from '../equality.js';
import { add, divide, multiply, product, squareRoot, subtract, sum } from '../numbers/arithmetic.js';
import { compareNumbers, isNumber, type FeelNumber } from '../numbers/decimal.js';
import { FeelFunction, isList } from '../values.js';
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

/** Declares a builtin over numbers. Returns null for an empty list or if any item is not a number. */
function ofNumbers(name: string, call: (numbers: readonly FeelNumber[], run: Run) => unknown): Builtin {
  return ofItems(name, (run, items) => (items.length > 0 && items.every(isNumber) ? call(items, run) : null));
}

/** Returns the first item that `better` prefers, or null if two items have no order. */
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

function mean(numbers: readonly FeelNumber[], run: Run): FeelNumber | null {
  const total = sum(numbers, run);
  return total === null ? null : divide(total, numbers.length);
}

function median(numbers: readonly FeelNumber[], run: Run): FeelNumber | null {
  payForOrder(run, numbers);
  const sorted = numbers.toSorted(compareNumbers);
  const middle = Math.floor(sorted.length / 2);
  return mean(sorted.slice(sorted.length % 2 === 0 ? middle - 1 : middle, middle + 1), run);
}

/** Number of comparisons of `FeelDecimal` numbers that one step pays for. */
const COMPARISONS_PER_STEP = 32;

function payForOrder(run: Run, numbers: readonly FeelNumber[]): void {
  const isLong = numbers.some((value) => typeof value !== 'number');
  if (isLong) run.step((numbers.length * Math.log2(numbers.length + 1)) / COMPARISONS_PER_STEP);
}

/** Returns the standard deviation of a sample. */
function deviation(numbers: readonly FeelNumber[], run: Run): FeelNumber | null {
  const average = numbers.length < 2 ? null : mean(numbers, run);
  if (average === null) return null;
  run.step(numbers.length);
  let squares: FeelNumber | null = 0;
  for (const value of numbers) {
    const distance = subtract(value, average);
    const square = distance === null ? null : multiply(distance, distance);
    squares = squares === null || square === null ? null : add(squares, square);
  }
  const variance = squares === null ? null : divide(squares, numbers.length - 1);
  return variance === null ? null : squareRoot(run, variance);
}

function mode(run: Run, items: List): unknown {
  if (!items.every(isNumber)) return null;
  payForOrder(run, items);
  const counts = new Map<number | string, { readonly value: FeelNumber; count: number }>();
  for (const value of items) {
    const key = typeof value === 'number' ? value : value.value.toExponential();
    const entry = counts.get(key);
    if (entry) entry.count += 1;
    else counts.set(key, { value, count: 1 });
  }
  const most = [...counts.values()].reduce((max, { count }) => Math.max(max, count), 0);
  run.grow(counts.size);
  return [...counts.values()]
    .filter(({ count }) => count === most)
    .map(({ value }) => value)
    .sort(compareNumbers);
}

/** Returns the three-valued `and` (deciding false) or `or` (deciding true) of a list. */
function decide(items: List, deciding: boolean): boolean | null {
  let result: boolean | null = !deciding;
  for (const item of items) {
    if (item === deciding) return deciding;
    if (item !== !deciding) result = null;
  }
  return result;
}

/**
 * Sorts by a stable merge sort with a function that returns whether one item precedes another. Returns null if the
 * function returns no boolean.
 */
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
  ofNumbers('sum', sum),
  ofNumbers('product', product),
  ofNumbers('mean', mean),
  ofNumbers('median', median),
  ofNumbers('stddev', deviation),
  ofItems('mode', mode),
  ...['all', 'and'].map((name) => ofItems(name, (_run, items) => decide(items, false))),
  ...['any', 'or'].map((name) => ofItems(name, (_run, items) => decide(items, true))),
  builtin('sort', 'list, precedes', sort),
];
