import type { EvaluationState } from '../budget.js';
import { compareValues } from '../equality.js';
import { add, divide, multiply, product, squareRoot, subtract, sum } from '../numbers/arithmetic.js';
import { compareNumbers, isNumber, type FeelNumber } from '../numbers/decimal.js';
import { FeelFunction, isList } from '../values.js';
import { defineBuiltin, invoke, getItems, type Builtin } from './builtin.js';

type List = readonly unknown[];

function defineItemsBuiltin(name: string, call: (state: EvaluationState, items: List) => unknown): Builtin {
  return defineBuiltin(name, 'list...', (state, args) => {
    const items = getItems(args);
    if (!items) return null;
    state.chargeSteps(items.length / 8);
    return call(state, items);
  });
}

/** Declares a builtin over numbers. Returns null for an empty list or if any item is not a number. */
function defineNumbersBuiltin(
  name: string,
  call: (numbers: readonly FeelNumber[], state: EvaluationState) => unknown,
): Builtin {
  return defineItemsBuiltin(name, (state, items) =>
    items.length > 0 && items.every(isNumber) ? call(items, state) : null,
  );
}

/** Returns the minimum or maximum, depending on `isBetter`, or null if two items cannot be compared. */
function findExtreme(items: List, isBetter: (difference: number) => boolean): unknown {
  let result: unknown = items[0] ?? null;
  if (compareValues(result, result) === null) return null;
  for (const item of items) {
    const difference = compareValues(item, result);
    if (difference === null) return null;
    if (isBetter(difference)) result = item;
  }
  return result;
}

function mean(numbers: readonly FeelNumber[], state: EvaluationState): FeelNumber | null {
  const total = sum(numbers, state);
  return total === null ? null : divide(total, numbers.length);
}

function median(numbers: readonly FeelNumber[], state: EvaluationState): FeelNumber | null {
  chargeSorting(state, numbers);
  const sorted = numbers.toSorted(compareNumbers);
  const middle = Math.floor(sorted.length / 2);
  return mean(sorted.slice(sorted.length % 2 === 0 ? middle - 1 : middle, middle + 1), state);
}

/** Number of comparisons of `FeelDecimal` numbers that cost one step. */
const COMPARISONS_PER_STEP = 32;

function chargeSorting(state: EvaluationState, numbers: readonly FeelNumber[]): void {
  const hasDecimals = numbers.some((value) => typeof value !== 'number');
  if (hasDecimals) state.chargeSteps((numbers.length * Math.log2(numbers.length + 1)) / COMPARISONS_PER_STEP);
}

/** Returns the standard deviation of a sample. */
function standardDeviation(numbers: readonly FeelNumber[], state: EvaluationState): FeelNumber | null {
  const average = numbers.length < 2 ? null : mean(numbers, state);
  if (average === null) return null;
  state.chargeSteps(numbers.length);
  let squares: FeelNumber | null = 0;
  for (const value of numbers) {
    const distance = subtract(value, average);
    const square = distance === null ? null : multiply(distance, distance);
    squares = squares === null || square === null ? null : add(squares, square);
  }
  const variance = squares === null ? null : divide(squares, numbers.length - 1);
  return variance === null ? null : squareRoot(state, variance);
}

function mode(state: EvaluationState, items: List): unknown {
  if (!items.every(isNumber)) return null;
  chargeSorting(state, items);
  const counts = new Map<number | string, { readonly value: FeelNumber; count: number }>();
  for (const value of items) {
    const key = typeof value === 'number' ? value : value.value.toExponential();
    const entry = counts.get(key);
    if (entry) entry.count += 1;
    else counts.set(key, { value, count: 1 });
  }
  const maxCount = [...counts.values()].reduce((max, { count }) => Math.max(max, count), 0);
  state.chargeSize(counts.size);
  return [...counts.values()]
    .filter(({ count }) => count === maxCount)
    .map(({ value }) => value)
    .sort(compareNumbers);
}

/** Returns the three-valued `and` (`decidingValue` false) or `or` (`decidingValue` true) of a list. */
function quantify(items: List, decidingValue: boolean): boolean | null {
  let result: boolean | null = !decidingValue;
  for (const item of items) {
    if (item === decidingValue) return decidingValue;
    if (item !== !decidingValue) result = null;
  }
  return result;
}

/**
 * Sorts a list stably by a function that returns whether one item precedes another. Returns null if the function does
 * not return a boolean.
 */
function sort(state: EvaluationState, list: unknown, precedes: unknown): unknown {
  if (!isList(list) || !(precedes instanceof FeelFunction)) return null;
  state.chargeSize(list.length);
  let hasFailed = false;
  const isBefore = (a: unknown, b: unknown): boolean => {
    state.chargeSteps(1);
    const precedence = invoke(state, precedes, [a, b]);
    if (typeof precedence !== 'boolean') hasFailed = true;
    return precedence === true;
  };
  const sorted = list.toSorted((a, b) =>
    hasFailed ? 0 : isBefore(a, b) ? -1 : hasFailed ? 0 : isBefore(b, a) ? 1 : 0,
  );
  return hasFailed ? null : sorted;
}

export const aggregateBuiltins: readonly Builtin[] = [
  defineItemsBuiltin('min', (_state, items) => findExtreme(items, (difference) => difference < 0)),
  defineItemsBuiltin('max', (_state, items) => findExtreme(items, (difference) => difference > 0)),
  defineNumbersBuiltin('sum', sum),
  defineNumbersBuiltin('product', product),
  defineNumbersBuiltin('mean', mean),
  defineNumbersBuiltin('median', median),
  defineNumbersBuiltin('stddev', standardDeviation),
  defineItemsBuiltin('mode', mode),
  ...['all', 'and'].map((name) => defineItemsBuiltin(name, (_state, items) => quantify(items, false))),
  ...['any', 'or'].map((name) => defineItemsBuiltin(name, (_state, items) => quantify(items, true))),
  defineBuiltin('sort', 'list, precedes', sort),
];
