import type { Builtin, BuiltinCall } from './builtins/builtin.js';
import { formsOf, REFUSED_BUILTINS, suggestionFor } from './builtins/registry.js';
import type { Code, Evaluate } from './compile-scope.js';
import type { Arguments } from './compile-functions.js';
import { fold, type Compiler } from './compiler.js';
import { FeelLimitError } from './errors.js';
import type { FeelNode } from './parse.js';

const ABSENT: Code = { evaluate: () => undefined, constant: { value: undefined } };

/**
 * Compiles a call of a builtin. An unknown builtin fails here, at deployment. Returns `undefined` only if the name may
 * still be a function of a filter item.
 */
export function compileBuiltin(
  compiler: Compiler,
  callee: FeelNode,
  name: string,
  args: Arguments,
  possible: boolean,
): Code | undefined {
  const refused = REFUSED_BUILTINS.get(name);
  if (refused) throw compiler.error(callee, refused);
  const forms = formsOf(name);
  if (!forms) {
    if (possible) return undefined;
    const suggestion = suggestionFor(name);
    throw compiler.error(callee, `Unknown function ${name}()${suggestion ? `; did you mean ${suggestion}()?` : ''}`);
  }
  for (const form of forms) {
    const ordered = arrange(form, args);
    if (ordered) return callOf(compiler, callee, form, ordered, args.names !== undefined);
  }
  const signatures = [
    ...new Set(forms.map((form) => `${name}(${form.parameters.join(', ')}${form.variadic ? ' …' : ''})`)),
  ];
  throw compiler.error(args.node, `${name}() was called with wrong arguments; use ${signatures.join(' or ')}`);
}

/** Returns the arguments in the order of the form's parameters, or `undefined` if they do not fit. */
function arrange(form: Builtin, { values, names }: Arguments): readonly Code[] | undefined {
  if (!names) {
    // By position, `append(list, items)` appends each argument; by name, `items` is a list.
    if (form.variadic) return values.length > 0 ? values : undefined;
    if (form.name === 'append') return undefined;
    return values.length >= form.required && values.length <= form.parameters.length ? values : undefined;
  }
  if (!names.every((name, index) => form.parameters.includes(name) && names.indexOf(name) === index)) return undefined;
  const ordered = form.parameters.map((parameter) => values[names.indexOf(parameter)] ?? ABSENT);
  return ordered.slice(0, form.required).includes(ABSENT) ? undefined : ordered;
}

/** Returns the code of a call. By name, the arguments of a variadic builtin come as one list. */
function callOf(compiler: Compiler, callee: FeelNode, form: Builtin, args: readonly Code[], named: boolean): Code {
  const call = prepared(compiler, callee, form, args);
  const evaluate = form.variadic && !named ? variadic(call, args) : fixed(call, args);
  return form.pure ? fold(evaluate, ...args) : { evaluate };
}

function prepared(compiler: Compiler, callee: FeelNode, form: Builtin, args: readonly Code[]): BuiltinCall {
  if (!form.prepare) return form.call;
  try {
    return form.prepare(args.map((arg) => (arg === ABSENT ? null : arg.constant?.value))) ?? form.call;
  } catch (error) {
    if (error instanceof FeelLimitError || !(error instanceof Error)) throw error;
    throw compiler.error(callee, error.message);
  }
}

function variadic(call: BuiltinCall, args: readonly Code[]): Evaluate {
  return (run, local) => {
    run.grow(args.length);
    return call(
      run,
      args.map((arg) => arg.evaluate(run, local)),
      undefined,
      undefined,
      undefined,
    );
  };
}

function fixed(call: BuiltinCall, args: readonly Code[]): Evaluate {
  const [a, b, c, d] = [0, 1, 2, 3].map((index) => (args[index] ?? ABSENT).evaluate) as [
    Evaluate,
    Evaluate,
    Evaluate,
    Evaluate,
  ];
  if (args.length === 1) return (run, local) => call(run, a(run, local), undefined, undefined, undefined);
  if (args.length === 2) return (run, local) => call(run, a(run, local), b(run, local), undefined, undefined);
  return (run, local) => call(run, a(run, local), b(run, local), c(run, local), d(run, local));
}
