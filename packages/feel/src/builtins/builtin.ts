import type { Run } from '../budget.js';
import type { FeelFunction } from '../values.js';

/** Arguments that weren't given are undefined; a variadic builtin gets all of its arguments as one list. */
export type BuiltinCall = (run: Run, a: unknown, b: unknown, c: unknown, d: unknown) => unknown;

/** One form of a builtin: its parameters, and how it is called. */
export interface Builtin {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly required: number;
  readonly variadic: boolean;
  /** Whether it depends on its arguments alone, so that a call with constants is done when compiling. */
  readonly pure: boolean;
  readonly call: BuiltinCall;
  /** A faster call for arguments that are known when compiling; undefined entries aren't. Throws where they can't work. */
  readonly prepare?: (known: readonly unknown[]) => BuiltinCall | undefined;
}

/**
 * Declares a builtin by its name and parameters: `'string, start position, length?'`, `'list...'` for any number.
 * Several forms of one name are tried in the order of their declaration.
 */
export function builtin(
  name: string,
  signature: string,
  call: BuiltinCall,
  options: Pick<Partial<Builtin>, 'pure' | 'prepare'> = {},
): Builtin {
  const parts = signature === '' ? [] : signature.split(', ');
  return {
    name,
    parameters: parts.map((part) => part.replace(/\?$|\.\.\.$/, '')),
    required: parts.filter((part) => !part.endsWith('?')).length,
    variadic: signature.endsWith('...'),
    pure: options.pure ?? true,
    call,
    ...(options.prepare ? { prepare: options.prepare } : {}),
  };
}

/** Arguments of a variadic builtin: one list stands for its items. */
export function itemsOf(args: unknown): readonly unknown[] | null {
  if (!Array.isArray(args)) return null;
  const list = args as readonly unknown[];
  if (list.length !== 1) return list;
  const [only] = list;
  return Array.isArray(only) ? (only as readonly unknown[]) : only === null ? null : list;
}

/** Calls a function value; null where the number of arguments isn't right. */
export function invoke(run: Run, fn: FeelFunction, args: readonly unknown[]): unknown {
  return fn.parameters.length === args.length ? fn.invoke(run, args) : null;
}
