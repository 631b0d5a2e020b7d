import type { Evaluate } from './compile-scope.js';
import { childAt, getChildren, createConstantCode, type Compiler, type NodeCompiler } from './compiler.js';
import type { FeelNode } from './parse.js';
import { FeelValue, isForbiddenKey } from './values.js';

/** Properties of temporal values and ranges whose names contain a space but need no backticks. */
const SPACED_PROPERTIES = new Set(['time offset', 'start included', 'end included']);

/**
 * Returns a name without its backticks. In a name without backticks, comments are removed and whitespace is collapsed.
 */
export function readName(compiler: Compiler, node: FeelNode): string {
  const text = compiler.getText(node);
  return text.startsWith('`')
    ? text.slice(1, -1)
    : text
        .replace(/\/\*[\s\S]*?\*\//g, ' ')
        .trim()
        .replace(/\s+/g, ' ');
}

const compileVariable: NodeCompiler = (compiler, node, scope) => {
  const name = readName(compiler, node);
  const isQuoted = compiler.getText(node).startsWith('`');
  if (!isQuoted && (name.includes(' ') || name.includes('?'))) {
    throw compiler.createError(
      node,
      `Unexpected '${name.split(' ')[1] ?? name}'; a name with spaces or special characters needs backticks: \`${name.slice(0, 60)}\``,
    );
  }
  if (isForbiddenKey(name)) return createConstantCode(null);
  const { bound, possible } = scope.find(name);
  if (!bound) compiler.recordRead([name]);
  const readVariable: Evaluate = (state) => state.scope.get(name) ?? null;
  if (bound && name === 'partial') return { evaluate: compileCopy(scope.compileRead(name, readVariable)) };
  return bound || possible
    ? { evaluate: scope.compileRead(name, readVariable) }
    : { evaluate: readVariable, path: [name] };
};

/**
 * Returns code that copies the partial results of a loop: the list keeps growing, so code that stores it needs a copy.
 */
function compileCopy(evaluate: Evaluate): Evaluate {
  return (state, local) => {
    const value = evaluate(state, local);
    if (!Array.isArray(value)) return value;
    state.chargeSteps(value.length / 8);
    state.chargeSize(value.length);
    return value.slice() as unknown[];
  };
}

const compilePath: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const base = compiler.compile(childAt(children, 0), scope);
  const property = childAt(children, children.length - 1);
  const name = readName(compiler, property);
  if (!compiler.getText(property).startsWith('`') && name.includes(' ') && !SPACED_PROPERTIES.has(name)) {
    throw compiler.createError(
      property,
      `Unexpected '${name.split(' ')[1] ?? ''}'; a name with spaces needs backticks: \`${name}\``,
    );
  }
  if (isForbiddenKey(name)) return createConstantCode(null);
  if (!base.path) return { evaluate: compilePropertyAccess(base.evaluate, name) };
  const path = [...base.path, name];
  compiler.recordRead(base.path, true);
  compiler.recordRead(path);
  return {
    evaluate: path.length === 2 ? compileVariablePath(path[0] ?? '', name) : compilePropertyAccess(base.evaluate, name),
    path,
  };
};

function compilePropertyAccess(base: Evaluate, name: string): Evaluate {
  return (state, local) => {
    const value = base(state, local);
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value)) {
      state.chargeSteps(value.length);
      state.chargeSize(value.length);
      return value.map((item: unknown) => getProperty(item, name));
    }
    return getProperty(value, name);
  };
}

/** Returns code for `variable.property`, the most frequent expression. */
function compileVariablePath(variable: string, name: string): Evaluate {
  const accessProperty = compilePropertyAccess((state) => state.scope.get(variable) ?? null, name);
  return (state, local) => {
    const value = state.scope.get(variable);
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value)) return accessProperty(state, local);
    return getProperty(value, name);
  };
}

function getProperty(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof FeelValue) return value.getProperty(name);
  if (Array.isArray(value)) return null;
  return Object.hasOwn(value, name) ? ((value as Record<string, unknown>)[name] ?? null) : null;
}

export const nameCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['VariableName', compileVariable],
  ['PathExpression', compilePath],
];
