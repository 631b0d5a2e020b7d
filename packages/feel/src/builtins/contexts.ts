import { MAX_VALUE_DEPTH, type EvaluationState } from '../budget.js';
import { FeelLimitError } from '../errors.js';
import {
  assignEntries,
  getEntry,
  isContext,
  isForbiddenKey,
  isList,
  getKeys,
  type FeelContextValue,
} from '../values.js';
import { defineBuiltin, getItems, type Builtin } from './builtin.js';

function getValue(state: EvaluationState, context: unknown, key: unknown): unknown {
  if (typeof key === 'string') return isContext(context) ? getEntry(context, key) : null;
  if (!isList(key) || key.length === 0) return null;
  state.chargeSteps(key.length);
  return key.reduce<unknown>(
    (value, name) => (isContext(value) && typeof name === 'string' ? getEntry(value, name) : null),
    context,
  );
}

function getEntries(state: EvaluationState, context: unknown): unknown {
  if (!isContext(context)) return null;
  const keys = getKeys(context);
  state.chargeSteps(keys.length);
  state.chargeSize(keys.length * 3);
  return keys.map((key) => ({ key, value: context[key] }));
}

function put(state: EvaluationState, context: unknown, key: unknown, value: unknown): unknown {
  if (!isContext(context)) return null;
  if (isList(key)) return putNested(state, context, key, 0, value);
  return typeof key === 'string' && !isForbiddenKey(key) ? { ...copy(state, context), [key]: value } : null;
}

/** Sets a nested entry. A value on the path that is not a context is replaced by a context. */
function putNested(
  state: EvaluationState,
  context: FeelContextValue,
  keys: readonly unknown[],
  index: number,
  value: unknown,
): unknown {
  if (index > MAX_VALUE_DEPTH) throw new FeelLimitError('nesting', MAX_VALUE_DEPTH);
  const key = keys[index];
  if (typeof key !== 'string' || isForbiddenKey(key)) return null;
  if (index === keys.length - 1) return { ...copy(state, context), [key]: value };
  const inner = getEntry(context, key);
  const nestedContext = putNested(state, isContext(inner) ? inner : {}, keys, index + 1, value);
  return nestedContext === null ? null : { ...copy(state, context), [key]: nestedContext };
}

function copy(state: EvaluationState, context: FeelContextValue): FeelContextValue {
  state.chargeSize(1);
  return assignEntries(state, {}, context);
}

function merge(state: EvaluationState, contexts: readonly unknown[] | null): unknown {
  if (!contexts) return null;
  const result: FeelContextValue = {};
  for (const context of contexts) {
    state.chargeSteps(1);
    if (!isContext(context)) return null;
    assignEntries(state, result, context);
  }
  return result;
}

function fromEntries(state: EvaluationState, entries: unknown): unknown {
  if (!isList(entries)) return null;
  state.chargeSteps(entries.length);
  state.chargeSize(entries.length);
  const result: FeelContextValue = {};
  for (const entry of entries) {
    if (!isContext(entry) || !Object.hasOwn(entry, 'value')) return null;
    const key = getEntry(entry, 'key');
    if (typeof key !== 'string' || isForbiddenKey(key)) return null;
    result[key] = getEntry(entry, 'value');
  }
  return result;
}

export const contextBuiltins: readonly Builtin[] = [
  defineBuiltin('get value', 'context, key', getValue),
  defineBuiltin('get value', 'm, key', getValue),
  defineBuiltin('get value', 'context, keys', getValue),
  defineBuiltin('get entries', 'context', getEntries),
  defineBuiltin('get entries', 'm', getEntries),
  ...['context put', 'put'].flatMap((name) => [
    defineBuiltin(name, 'context, key, value', put),
    defineBuiltin(name, 'context, keys, value', put),
  ]),
  ...['context merge', 'put all'].map((name) =>
    defineBuiltin(name, 'contexts...', (state, args) => merge(state, getItems(args))),
  ),
  defineBuiltin('context', 'entries', fromEntries),
];
