import type { Builtin, BuiltinCall } from './builtins/builtin.js';
import { findOverloads, REFUSED_BUILTINS, findSuggestion } from './builtins/registry.js';
import type { Code, Evaluate } from './compile-scope.js';
import type { CallArguments } from './compile-functions.js';
import { foldConstant, type Compiler } from './compiler.js';
import { FeelLimitError } from './errors.js';
import type { FeelNode } from './parse.js';

const ABSENT_ARGUMENT: Code = { evaluate: () => undefined, constant: { value: undefined } };

/**
 * Compiles a call of a builtin. An unknown builtin is an error at compile time, that is, at deployment. Returns
 * `undefined` only if the name may refer to a function in a filter item.
 */
export function compileBuiltin(
  compiler: Compiler,
  callee: FeelNode,
  name: string,
  args: CallArguments,
  mayBeBound: boolean,
): Code | undefined {
  const refusalReason = REFUSED_BUILTINS.get(name);
  if (refusalReason) throw compiler.createError(callee, refusalReason);
  const overloads = findOverloads(name);
  if (!overloads) {
    if (mayBeBound) return undefined;
    const suggestion = findSuggestion(name);
    throw compiler.createError(
      callee,
      `Unknown function ${name}()${suggestion ? `; did you mean ${suggestion}()?` : ''}`,
    );
  }
  for (const overload of overloads) {
    const orderedArguments = arrangeArguments(overload, args);
    if (orderedArguments) return compileCall(compiler, callee, overload, orderedArguments, args.names !== undefined);
  }
  const signatures = [
    ...new Set(
      overloads.map((overload) => `${name}(${overload.parameters.join(', ')}${overload.variadic ? ' …' : ''})`),
    ),
  ];
  throw compiler.createError(args.node, `${name}() was called with wrong arguments; use ${signatures.join(' or ')}`);
}

/** Returns the arguments in the order of the overload's parameters, or `undefined` if they do not match. */
function arrangeArguments(overload: Builtin, { values, names }: CallArguments): readonly Code[] | undefined {
  if (!names) {
    // By position, `append(list, items)` appends each argument; by name, `items` is a list.
    if (overload.variadic) return values.length > 0 ? values : undefined;
    if (overload.name === 'append') return undefined;
    return values.length >= overload.requiredCount && values.length <= overload.parameters.length ? values : undefined;
  }
  if (!names.every((name, index) => overload.parameters.includes(name) && names.indexOf(name) === index))
    return undefined;
  const orderedArguments = overload.parameters.map((parameter) => values[names.indexOf(parameter)] ?? ABSENT_ARGUMENT);
  return orderedArguments.slice(0, overload.requiredCount).includes(ABSENT_ARGUMENT) ? undefined : orderedArguments;
}

/**
 * Returns the code of a call. With named arguments, a variadic builtin receives a single argument, which is the list.
 */
function compileCall(
  compiler: Compiler,
  callee: FeelNode,
  overload: Builtin,
  args: readonly Code[],
  isNamed: boolean,
): Code {
  const call = prepareCall(compiler, callee, overload, args);
  const evaluate = overload.variadic && !isNamed ? compileVariadicCall(call, args) : compileFixedCall(call, args);
  return overload.pure ? foldConstant(evaluate, ...args) : { evaluate };
}

function prepareCall(compiler: Compiler, callee: FeelNode, overload: Builtin, args: readonly Code[]): BuiltinCall {
  if (!overload.prepare) return overload.call;
  try {
    return overload.prepare(args.map((arg) => (arg === ABSENT_ARGUMENT ? null : arg.constant?.value))) ?? overload.call;
  } catch (error) {
    if (error instanceof FeelLimitError || !(error instanceof Error)) throw error;
    throw compiler.createError(callee, error.message);
  }
}

function compileVariadicCall(call: BuiltinCall, args: readonly Code[]): Evaluate {
  return (state, local) => {
    state.chargeSize(args.length);
    return call(
      state,
      args.map((arg) => arg.evaluate(state, local)),
      undefined,
      undefined,
      undefined,
    );
  };
}

function compileFixedCall(call: BuiltinCall, args: readonly Code[]): Evaluate {
  const [a, b, c, d] = [0, 1, 2, 3].map((index) => (args[index] ?? ABSENT_ARGUMENT).evaluate) as [
    Evaluate,
    Evaluate,
    Evaluate,
    Evaluate,
  ];
  if (args.length === 1) return (state, local) => call(state, a(state, local), undefined, undefined, undefined);
  if (args.length === 2) return (state, local) => call(state, a(state, local), b(state, local), undefined, undefined);
  return (state, local) => call(state, a(state, local), b(state, local), c(state, local), d(state, local));
}
