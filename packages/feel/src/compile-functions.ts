import { Local, type Code, type Evaluate, type Scope } from './compile-scope.js';
import { childAt, getChildren, type Compiler, type NodeCompiler } from './compiler.js';
import { compileBuiltin } from './compile-builtins.js';
import { readName } from './compile-names.js';
import type { FeelNode } from './parse.js';
import { FeelFunction } from './values.js';

/** Arguments of a call, by position or by name. */
export interface CallArguments {
  readonly node: FeelNode;
  readonly values: readonly Code[];
  readonly names?: readonly string[];
}

const compileDefinition: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  if (children.some((child) => child.name === 'external'))
    throw compiler.createError(node, 'External functions are not supported');
  const parameters: string[] = [];
  for (const list of children.filter((child) => child.name === 'FormalParameters')) {
    for (const parameter of getChildren(list)) {
      if (parameter.name === 'FormalParameter') parameters.push(readName(compiler, childAt(getChildren(parameter), 0)));
    }
  }
  const bodyNode = childAt(getChildren(childAt(children, children.length - 1)), 0);
  const { code, cost, levels } = compiler.compileBody(bodyNode, scope.bind(...parameters));
  const body = code.evaluate;
  return {
    evaluate: (_state, local) =>
      new FeelFunction(parameters, (state, args) => {
        state.chargeSteps(cost);
        state.enter(levels);
        const result = body(
          state,
          args.reduce<Local>((chain, value) => new Local(chain, value), local),
        );
        state.leave(levels);
        return result;
      }),
  };
};

const compileInvocation: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const callee = childAt(children, 0);
  const args = compileArguments(compiler, node, children, scope);
  if (callee.name !== 'VariableName' && callee.name !== 'SpecialFunctionName') {
    return compileFunctionCall(compiler.compile(callee, scope).evaluate, args);
  }
  const name = readName(compiler, callee);
  const { bound, possible } = scope.find(name);
  if (bound)
    return compileFunctionCall(
      scope.compileRead(name, () => null),
      args,
    );
  const builtin = compileBuiltin(compiler, callee, name, args, possible);
  return (
    builtin ??
    compileFunctionCall(
      scope.compileRead(name, () => null),
      args,
    )
  );
};

/**
 * Compiles `date(…)`, `time(…)`, `date and time(…)` and `duration(…)`, which the grammar treats specially, or `@"…"`.
 */
const compileTemporal: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const callee = childAt(children, 0);
  if (callee.name === 'AtLiteral') return compiler.compile(callee, scope);
  const name = readName(compiler, callee);
  const args = compileArguments(compiler, node, children, scope);
  const code = compileBuiltin(compiler, callee, name, args, false);
  if (!code) throw compiler.createError(callee, `Unknown function ${name}()`);
  return code;
};

function compileArguments(
  compiler: Compiler,
  node: FeelNode,
  children: readonly FeelNode[],
  scope: Scope,
): CallArguments {
  const list = children.find((child) => child.name === 'PositionalParameters' || child.name === 'NamedParameters');
  if (!list) return { node, values: [] };
  const parts = getChildren(list).filter((child) => child.name !== ',');
  if (list.name === 'PositionalParameters') return { node, values: parts.map((part) => compiler.compile(part, scope)) };
  const namedParts = parts.map((part) => getChildren(part));
  return {
    node,
    names: namedParts.map((part) => readName(compiler, childAt(part, 0))),
    values: namedParts.map((part) => compiler.compile(childAt(part, part.length - 1), scope)),
  };
}

/**
 * Compiles a call of a function value. The call evaluates to null if the value is not a function or its parameters do
 * not match the arguments.
 */
function compileFunctionCall(callee: Evaluate, { values, names }: CallArguments): Code {
  return {
    evaluate: (state, local) => {
      const fn = callee(state, local);
      if (!(fn instanceof FeelFunction) || fn.parameters.length !== values.length) return null;
      const args = values.map((value) => value.evaluate(state, local));
      if (!names) return fn.invoke(state, args);
      const orderedArguments = fn.parameters.map((parameter) => args[names.indexOf(parameter)]);
      return orderedArguments.includes(undefined) ? null : fn.invoke(state, orderedArguments);
    },
  };
}

export const functionCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['FunctionDefinition', compileDefinition],
  ['FunctionInvocation', compileInvocation],
  ['DateTimeLiteral', compileTemporal],
];
