import type { Run } from '../budget.js';
import { listIncludes, equals } from '../equality.js';
import { isNumber, wholePart } from '../numbers/decimal.js';
import { FeelFunction, isList } from '../values.js';
import { builtin, invoke, type Builtin } from './builtin.js';

type List = readonly unknown[];

/** Declares a builtin whose first argument is a list, and pays for reading the list. */
function ofList(
  name: string,
  signature: string,
  call: (run: Run, list: List, b: unknown, c: unknown) => unknown,
): Builtin {
  return builtin(name, signature, (run, list, b, c) => {
    if (!isList(list)) return null;
    run.step(list.length / 8);
    return call(run, list, b, c);
  });
}

function made(run: Run, list: unknown[]): unknown[] {
  run.grow(list.length);
  return list;
}

function sublist(run: Run, list: List, start: unknown, length: unknown): unknown {
  if (!isNumber(start) || (length !== undefined && !isNumber(length))) return null;
  const position = wholePart(start);
  if (position === 0) return [];
  const from = position > 0 ? position - 1 : Math.max(0, list.length + position);
  const count = length === undefined ? list.length : Math.max(0, wholePart(length));
  return made(run, list.slice(from, from + count));
}

function concatenate(run: Run, lists: unknown): unknown {
  if (!isList(lists)) return null;
  const result: unknown[] = [];
  for (const list of lists) {
    run.step(1);
    run.grow(isList(list) ? list.length : 1);
    if (isList(list)) for (const item of list) result.push(item);
    else result.push(list);
  }
  return result;
}

/** Returns the index from 0 of a position from 1, or from the end if negative; -1 if outside the list. */
function indexOf(list: List, position: unknown): number {
  if (!isNumber(position)) return -1;
  const whole = wholePart(position);
  const index = whole > 0 ? whole - 1 : list.length + whole;
  return whole !== 0 && index >= 0 && index < list.length ? index : -1;
}

function insertBefore(run: Run, list: List, position: unknown, item: unknown): unknown {
  if (!isNumber(position)) return null;
  const index = indexOf(list, position);
  return made(run, list.toSpliced(index === -1 ? list.length : index, 0, item));
}

function remove(run: Run, list: List, position: unknown): unknown {
  if (!isNumber(position)) return null;
  const index = indexOf(list, position);
  return made(run, index === -1 ? list.slice() : list.toSpliced(index, 1));
}

function replaceIn(run: Run, list: List, at: unknown, item: unknown): unknown {
  if (at instanceof FeelFunction) {
    run.grow(list.length);
    return list.map((old) => (invoke(run, at, [old, item]) === true ? item : old));
  }
  const index = indexOf(list, at);
  return index === -1 ? null : made(run, list.with(index, item));
}

function positions(run: Run, list: List, match: unknown): number[] {
  const found: number[] = [];
  for (const [index, item] of list.entries()) {
    if (equals(run, item, match) !== true) continue;
    run.grow(1);
    found.push(index + 1);
  }
  return found;
}

function distinct(run: Run, list: List): unknown[] {
  const seen = new Set<unknown>();
  const result: unknown[] = [];
  for (const item of list) {
    if (isSimple(item) ? seen.has(item) : listIncludes(run, result, item)) continue;
    seen.add(item);
    run.grow(1);
    result.push(item);
  }
  return result;
}

function isSimple(item: unknown): boolean {
  return typeof item !== 'object' || item === null;
}

function duplicates(run: Run, list: List): unknown[] {
  const repeated = list.filter((item) => {
    run.step(list.length / 4);
    return list.reduce<number>((count, other) => count + (equals(run, item, other) === true ? 1 : 0), 0) > 1;
  });
  return distinct(run, repeated);
}

function flatten(run: Run, list: List): unknown[] {
  const result: unknown[] = [];
  const stack: { readonly list: List; index: number }[] = [{ list, index: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    if (top.index >= top.list.length) {
      stack.pop();
      continue;
    }
    run.step(1 / 4);
    const item = top.list[top.index++];
    if (isList(item)) stack.push({ list: item, index: 0 });
    else {
      run.grow(1);
      result.push(item);
    }
  }
  return result;
}

function partition(run: Run, list: List, size: unknown): unknown {
  if (!isNumber(size)) return null;
  const length = wholePart(size);
  if (length < 1) return null;
  const result: unknown[] = [];
  run.grow(list.length + list.length / length);
  for (let from = 0; from < list.length; from += length) result.push(list.slice(from, from + length));
  return result;
}

function join(run: Run, list: List, delimiter: unknown, prefix: string, suffix: string): unknown {
  const texts = list.filter((item) => item !== null);
  if (delimiter !== undefined && delimiter !== null && typeof delimiter !== 'string') return null;
  const between = delimiter ?? '';
  let length = prefix.length + suffix.length;
  for (const text of texts) {
    if (typeof text !== 'string') return null;
    length += text.length + between.length;
  }
  run.grow(length);
  return prefix + texts.join(between) + suffix;
}

export const listBuiltins: readonly Builtin[] = [
  ofList('list contains', 'list, element', listIncludes),
  ofList('count', 'list', (_run, list) => list.length),
  ofList('is empty', 'list', (_run, list) => list.length === 0),
  ofList('sublist', 'list, start position, length?', sublist),
  ofList('sublist', 'list, start, length?', sublist),
  ofList('append', 'list, items', (run, list, items) => (isList(items) ? made(run, [...list, ...items]) : null)),
  builtin('append', 'list...', (run, args) => {
    const [list, ...items] = args as List;
    return isList(list) ? made(run, [...list, ...items]) : null;
  }),
  builtin('concatenate', 'lists...', concatenate),
  builtin('union', 'lists...', (run, lists) => {
    const all = concatenate(run, lists);
    return isList(all) ? distinct(run, all) : null;
  }),
  ofList('insert before', 'list, position, newItem', insertBefore),
  ofList('remove', 'list, position', remove),
  ofList('list replace', 'list, position, newItem', replaceIn),
  ofList('list replace', 'list, match, newItem', replaceIn),
  ofList('reverse', 'list', (run, list) => made(run, list.toReversed())),
  ofList('index of', 'list, match', positions),
  ofList('distinct values', 'list', distinct),
  ofList('duplicate values', 'list', duplicates),
  ofList('flatten', 'list', flatten),
  ofList('partition', 'list, size', partition),
  ofList('string join', 'list, delimiter?', (run, list, delimiter) => join(run, list, delimiter, '', '')),
  builtin('string join', 'list, delimiter, prefix, suffix', (run, list, delimiter, prefix, suffix) => {
    if (!isList(list) || typeof prefix !== 'string' || typeof suffix !== 'string') return null;
    run.step(list.length / 8);
    return join(run, list, delimiter, prefix, suffix);
  }),
];
