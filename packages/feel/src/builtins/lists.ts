import type { EvaluationState } from '../budget.js';
import { listIncludes, equals } from '../equality.js';
import { isNumber, getWholePart } from '../numbers/decimal.js';
import { FeelFunction, isList } from '../values.js';
import { defineBuiltin, invoke, type Builtin } from './builtin.js';

type List = readonly unknown[];

/** Declares a builtin whose first argument is a list, and charges the steps for reading the list. */
function defineListBuiltin(
  name: string,
  signature: string,
  call: (state: EvaluationState, list: List, b: unknown, c: unknown) => unknown,
): Builtin {
  return defineBuiltin(name, signature, (state, list, b, c) => {
    if (!isList(list)) return null;
    state.chargeSteps(list.length / 8);
    return call(state, list, b, c);
  });
}

function chargeNewList(state: EvaluationState, list: unknown[]): unknown[] {
  state.chargeSize(list.length);
  return list;
}

function sublist(state: EvaluationState, list: List, start: unknown, length: unknown): unknown {
  if (!isNumber(start) || (length !== undefined && !isNumber(length))) return null;
  const position = getWholePart(start);
  if (position === 0) return [];
  const from = position > 0 ? position - 1 : Math.max(0, list.length + position);
  const count = length === undefined ? list.length : Math.max(0, getWholePart(length));
  return chargeNewList(state, list.slice(from, from + count));
}

function concatenate(state: EvaluationState, lists: unknown): unknown {
  if (!isList(lists)) return null;
  const result: unknown[] = [];
  for (const list of lists) {
    state.chargeSteps(1);
    state.chargeSize(isList(list) ? list.length : 1);
    if (isList(list)) for (const item of list) result.push(item);
    else result.push(list);
  }
  return result;
}

/**
 * Converts a position (counted from 1, or from the end if negative) to an array index. Returns -1 if it is outside the
 * list.
 */
function toIndex(list: List, position: unknown): number {
  if (!isNumber(position)) return -1;
  const wholePosition = getWholePart(position);
  const index = wholePosition > 0 ? wholePosition - 1 : list.length + wholePosition;
  return wholePosition !== 0 && index >= 0 && index < list.length ? index : -1;
}

function insertBefore(state: EvaluationState, list: List, position: unknown, item: unknown): unknown {
  if (!isNumber(position)) return null;
  const index = toIndex(list, position);
  return chargeNewList(state, list.toSpliced(index === -1 ? list.length : index, 0, item));
}

function remove(state: EvaluationState, list: List, position: unknown): unknown {
  if (!isNumber(position)) return null;
  const index = toIndex(list, position);
  return chargeNewList(state, index === -1 ? list.slice() : list.toSpliced(index, 1));
}

function replaceItems(state: EvaluationState, list: List, positionOrMatch: unknown, newItem: unknown): unknown {
  if (positionOrMatch instanceof FeelFunction) {
    state.chargeSize(list.length);
    return list.map((currentItem) =>
      invoke(state, positionOrMatch, [currentItem, newItem]) === true ? newItem : currentItem,
    );
  }
  const index = toIndex(list, positionOrMatch);
  return index === -1 ? null : chargeNewList(state, list.with(index, newItem));
}

function findPositions(state: EvaluationState, list: List, match: unknown): number[] {
  const positions: number[] = [];
  for (const [index, item] of list.entries()) {
    if (equals(state, item, match) !== true) continue;
    state.chargeSize(1);
    positions.push(index + 1);
  }
  return positions;
}

function distinct(state: EvaluationState, list: List): unknown[] {
  const seen = new Set<unknown>();
  const result: unknown[] = [];
  for (const item of list) {
    if (isPrimitive(item) ? seen.has(item) : listIncludes(state, result, item)) continue;
    seen.add(item);
    state.chargeSize(1);
    result.push(item);
  }
  return result;
}

function isPrimitive(item: unknown): boolean {
  return typeof item !== 'object' || item === null;
}

function duplicates(state: EvaluationState, list: List): unknown[] {
  const repeated = list.filter((item) => {
    state.chargeSteps(list.length / 4);
    return list.reduce<number>((count, other) => count + (equals(state, item, other) === true ? 1 : 0), 0) > 1;
  });
  return distinct(state, repeated);
}

function flatten(state: EvaluationState, list: List): unknown[] {
  const result: unknown[] = [];
  const stack: { readonly list: List; index: number }[] = [{ list, index: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    if (top.index >= top.list.length) {
      stack.pop();
      continue;
    }
    state.chargeSteps(1 / 4);
    const item = top.list[top.index++];
    if (isList(item)) stack.push({ list: item, index: 0 });
    else {
      state.chargeSize(1);
      result.push(item);
    }
  }
  return result;
}

function partition(state: EvaluationState, list: List, size: unknown): unknown {
  if (!isNumber(size)) return null;
  const length = getWholePart(size);
  if (length < 1) return null;
  const result: unknown[] = [];
  state.chargeSize(list.length + list.length / length);
  for (let from = 0; from < list.length; from += length) result.push(list.slice(from, from + length));
  return result;
}

function join(state: EvaluationState, list: List, delimiter: unknown, prefix: string, suffix: string): unknown {
  const texts = list.filter((item) => item !== null);
  if (delimiter !== undefined && delimiter !== null && typeof delimiter !== 'string') return null;
  const separator = delimiter ?? '';
  let length = prefix.length + suffix.length;
  for (const text of texts) {
    if (typeof text !== 'string') return null;
    length += text.length + separator.length;
  }
  state.chargeSize(length);
  return prefix + texts.join(separator) + suffix;
}

export const listBuiltins: readonly Builtin[] = [
  defineListBuiltin('list contains', 'list, element', listIncludes),
  defineListBuiltin('count', 'list', (_state, list) => list.length),
  defineListBuiltin('is empty', 'list', (_state, list) => list.length === 0),
  defineListBuiltin('sublist', 'list, start position, length?', sublist),
  defineListBuiltin('sublist', 'list, start, length?', sublist),
  defineListBuiltin('append', 'list, items', (state, list, items) =>
    isList(items) ? chargeNewList(state, [...list, ...items]) : null,
  ),
  defineBuiltin('append', 'list...', (state, args) => {
    const [list, ...items] = args as List;
    return isList(list) ? chargeNewList(state, [...list, ...items]) : null;
  }),
  defineBuiltin('concatenate', 'lists...', concatenate),
  defineBuiltin('union', 'lists...', (state, lists) => {
    const all = concatenate(state, lists);
    return isList(all) ? distinct(state, all) : null;
  }),
  defineListBuiltin('insert before', 'list, position, newItem', insertBefore),
  defineListBuiltin('remove', 'list, position', remove),
  defineListBuiltin('list replace', 'list, position, newItem', replaceItems),
  defineListBuiltin('list replace', 'list, match, newItem', replaceItems),
  defineListBuiltin('reverse', 'list', (state, list) => chargeNewList(state, list.toReversed())),
  defineListBuiltin('index of', 'list, match', findPositions),
  defineListBuiltin('distinct values', 'list', distinct),
  defineListBuiltin('duplicate values', 'list', duplicates),
  defineListBuiltin('flatten', 'list', flatten),
  defineListBuiltin('partition', 'list, size', partition),
  defineListBuiltin('string join', 'list, delimiter?', (state, list, delimiter) =>
    join(state, list, delimiter, '', ''),
  ),
  defineBuiltin('string join', 'list, delimiter, prefix, suffix', (state, list, delimiter, prefix, suffix) => {
    if (!isList(list) || typeof prefix !== 'string' || typeof suffix !== 'string') return null;
    state.chargeSteps(list.length / 8);
    return join(state, list, delimiter, prefix, suffix);
  }),
];
