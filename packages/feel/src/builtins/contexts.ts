import { MAX_VALUE_DEPTH, type Run } from '../budget.js';
import { FeelLimitError } from '../errors.js';
import { assignEntries, entryOf, isContext, isForbiddenKey, isList, keysOf, type FeelContextValue } from '../values.js';
import { builtin, itemsOf, type Builtin } from './builtin.js';

function getValue(run: Run, context: unknown, key: unknown): unknown {
  if (typeof key === 'string') return isContext(context) ? entryOf(context, key) : null;
  if (!isList(key) || key.length === 0) return null;
  run.step(key.length);
  return key.reduce<unknown>(
    (value, name) => (isContext(value) && typeof name === 'string' ? entryOf(value, name) : null),
    context,
  );
}

function getEntries(run: Run, context: unknown): unknown {
  if (!isContext(context)) return null;
  const keys = keysOf(context);
  run.step(keys.length);
  run.grow(keys.length * 3);
  return keys.map((key) => ({ key, value: context[key] }));
}

function put(run: Run, context: unknown, key: unknown, value: unknown): unknown {
  if (!isContext(context)) return null;
  if (isList(key)) return putAt(run, context, key, 0, value);
  return typeof key === 'string' && !isForbiddenKey(key) ? { ...copy(run, context), [key]: value } : null;
}

/** Sets a nested entry. A value on the path that is not a context is replaced by one. */
function putAt(run: Run, context: FeelContextValue, keys: readonly unknown[], index: number, value: unknown): unknown {
  if (index > MAX_VALUE_DEPTH) throw new FeelLimitError('nesting', MAX_VALUE_DEPTH);
  const key = keys[index];
  if (typeof key !== 'string' || isForbiddenKey(key)) return null;
  if (index === keys.length - 1) return { ...copy(run, context), [key]: value };
  const inner = entryOf(context, key);
  const changed = putAt(run, isContext(inner) ? inner : {}, keys, index + 1, value);
  return changed === null ? null : { ...copy(run, context), [key]: changed };
}

function copy(run: Run, context: FeelContextValue): FeelContextValue {
  run.grow(1);
  return assignEntries(run, {}, context);
}

function merge(run: Run, contexts: readonly unknown[] | null): unknown {
  if (!contexts) return null;
  const result: FeelContextValue = {};
  for (const context of contexts) {
    run.step(1);
    if (!isContext(context)) return null;
    assignEntries(run, result, context);
  }
  return result;
}

function fromEntries(run: Run, entries: unknown): unknown {
  if (!isList(entries)) return null;
  run.step(entries.length);
  run.grow(entries.length);
  const result: FeelContextValue = {};
  for (const entry of entries) {
    if (!isContext(entry) || !Object.hasOwn(entry, 'value')) return null;
    const key = entryOf(entry, 'key');
    if (typeof key !== 'string' || isForbiddenKey(key)) return null;
    result[key] = entryOf(entry, 'value');
  }
  return result;
}

export const contextBuiltins: readonly Builtin[] = [
  builtin('get value', 'context, key', getValue),
  builtin('get value', 'm, key', getValue),
  builtin('get value', 'context, keys', getValue),
  builtin('get entries', 'context', getEntries),
  builtin('get entries', 'm', getEntries),
  ...['context put', 'put'].flatMap((name) => [
    builtin(name, 'context, key, value', put),
    builtin(name, 'context, keys, value', put),
  ]),
  ...['context merge', 'put all'].map((name) => builtin(name, 'contexts...', (run, args) => merge(run, itemsOf(args)))),
  builtin('context', 'entries', fromEntries),
];
