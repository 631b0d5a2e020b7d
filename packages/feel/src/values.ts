import type { EvaluationState } from './budget.js';

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type FeelKind =
  | 'null'
  | 'boolean'
  | 'number'
  | 'string'
  | 'list'
  | 'context'
  | 'range'
  | 'function'
  | 'date'
  | 'time'
  | 'date and time'
  | 'days and time duration'
  | 'years and months duration';

/** Base of every FEEL value that is not JSON. Input variables never contain such values. */
export abstract class FeelValue {
  abstract readonly kind: FeelKind;

  /** Returns the property that a FEEL path reads, or null if the value has no such property. */
  getProperty(_name: string): unknown {
    return null;
  }
}

export class FeelRange extends FeelValue {
  readonly kind = 'range';

  constructor(
    readonly start: unknown,
    readonly end: unknown,
    readonly startIncluded: boolean,
    readonly endIncluded: boolean,
  ) {
    super();
  }

  override getProperty(name: string): unknown {
    switch (name) {
      case 'start':
        return this.start;
      case 'end':
        return this.end;
      case 'start included':
        return this.startIncluded;
      case 'end included':
        return this.endIncluded;
      default:
        return null;
    }
  }
}

export class FeelFunction extends FeelValue {
  readonly kind = 'function';

  constructor(
    readonly parameters: readonly string[],
    readonly invoke: (state: EvaluationState, args: readonly unknown[]) => unknown,
  ) {
    super();
  }
}

export type FeelContextValue = Record<string, unknown>;

/** Returns whether a key is forbidden because it would give access to prototypes. Reading such a key returns null. */
export function isForbiddenKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

export function isContext(value: unknown): value is FeelContextValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FeelValue);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns an own entry of a context, or `null` if it is absent. */
export function getEntry(context: FeelContextValue, key: string): unknown {
  return Object.hasOwn(context, key) && !isForbiddenKey(key) ? (context[key] ?? null) : null;
}

/** Returns the own keys of a context, without forbidden keys. */
export function getKeys(context: FeelContextValue): string[] {
  const keys = Object.keys(context);
  return keys.some(isForbiddenKey) ? keys.filter((key) => !isForbiddenKey(key)) : keys;
}

/** Copies the entries of `from` to `to`, without forbidden keys, and charges the budget for them. */
export function assignEntries(state: EvaluationState, to: FeelContextValue, from: FeelContextValue): FeelContextValue {
  const keys = getKeys(from);
  state.chargeSteps(keys.length);
  state.chargeSize(keys.length);
  for (const key of keys) to[key] = from[key];
  return to;
}

export function getKind(value: unknown): FeelKind {
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'list';
      return value instanceof FeelValue ? value.kind : 'context';
    default:
      return 'null';
  }
}
