import type { EvaluationState } from '../budget.js';
import type { FeelFunction } from '../values.js';

/**
 * The implementation of a builtin. Missing arguments are `undefined`; a variadic builtin gets all its arguments as one
 * list.
 */
export type BuiltinCall = (state: EvaluationState, a: unknown, b: unknown, c: unknown, d: unknown) => unknown;

/** One overload of a builtin: its parameters and its implementation. */
export interface Builtin {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly requiredCount: number;
  readonly variadic: boolean;
  /** Whether the result depends only on the arguments, so a call with constants is evaluated at compile time. */
  readonly pure: boolean;
  readonly call: BuiltinCall;
  /**
   * Returns a faster call for arguments that are known at compile time (an `undefined` entry is not known). Throws an
   * error if the known arguments are invalid.
   */
  readonly prepare?: (constants: readonly unknown[]) => BuiltinCall | undefined;
}

/**
 * Declares a builtin by its name and parameters: `'string, start position, length?'`, or `'list...'` for any number.
 * Overloads with the same name are tried in the order of their declaration.
 */
export function defineBuiltin(
  name: string,
  signature: string,
  call: BuiltinCall,
  options: Pick<Partial<Builtin>, 'pure' | 'prepare'> = {},
): Builtin {
  const parts = signature === '' ? [] : signature.split(', ');
  return {
    name,
    parameters: parts.map((part) => part.replace(/\?$|\.\.\.$/, '')),
    requiredCount: parts.filter((part) => !part.endsWith('?')).length,
    variadic: signature.endsWith('...'),
    pure: options.pure ?? true,
    call,
    ...(options.prepare ? { prepare: options.prepare } : {}),
  };
}

/**
 * Returns the items that a variadic builtin processes: its arguments, or the items of its only argument if that is a
 * list. Returns null if its only argument is null.
 */
export function getItems(args: unknown): readonly unknown[] | null {
  if (!Array.isArray(args)) return null;
  const list = args as readonly unknown[];
  if (list.length !== 1) return list;
  const [singleItem] = list;
  return Array.isArray(singleItem) ? (singleItem as readonly unknown[]) : singleItem === null ? null : list;
}

/** Calls a function value. Returns null if the number of arguments is wrong. */
export function invoke(state: EvaluationState, fn: FeelFunction, args: readonly unknown[]): unknown {
  return fn.parameters.length === args.length ? fn.invoke(state, args) : null;
}
