import type { Evaluate } from './compile-scope.js';
import { childAt, childrenOf, constant, type Compiler, type NodeCompiler } from './compiler.js';
import type { FeelNode } from './parse.js';
import { FeelValue, isForbiddenKey } from './values.js';

/** Properties of temporal values and ranges whose names contain a space but need no backticks. */
const SPACED_PROPERTIES = new Set(['time offset', 'start included', 'end included']);

/** Returns a name without backticks and with single spaces. */
export function nameText(compiler: Compiler, node: FeelNode): string {
  const text = compiler.text(node);
  return text.startsWith('`')
    ? text.slice(1, -1)
    : text
        .replace(/\/\*[\s\S]*?\*\//g, ' ')
        .trim()
        .replace(/\s+/g, ' ');
}

const compileVariable: NodeCompiler = (compiler, node, scope) => {
  const name = nameText(compiler, node);
  const quoted = compiler.text(node).startsWith('`');
  if (!quoted && (name.includes(' ') || name.includes('?'))) {
    throw compiler.error(
      node,
      `Unexpected '${name.split(' ')[1] ?? name}'; a name with spaces or signs needs backticks: \`${name.slice(0, 60)}\``,
    );
  }
  if (isForbiddenKey(name)) return constant(null);
  const { bound, possible } = scope.find(name);
  if (!bound) compiler.reading([name]);
  const outside: Evaluate = (run) => run.scope.get(name) ?? null;
  if (bound && name === 'partial') return { evaluate: copied(scope.read(name, outside)) };
  return bound || possible ? { evaluate: scope.read(name, outside) } : { evaluate: outside, path: [name] };
};

/** Copies the partial results of a loop, which keep growing, so code that stores them needs a copy. */
function copied(evaluate: Evaluate): Evaluate {
  return (run, local) => {
    const value = evaluate(run, local);
    if (!Array.isArray(value)) return value;
    run.step(value.length / 8);
    run.grow(value.length);
    return value.slice() as unknown[];
  };
}

const compilePath: NodeCompiler = (compiler, node, scope) => {
  const children = childrenOf(node);
  const base = compiler.compile(childAt(children, 0), scope);
  const property = childAt(children, children.length - 1);
  const name = nameText(compiler, property);
  if (!compiler.text(property).startsWith('`') && name.includes(' ') && !SPACED_PROPERTIES.has(name)) {
    throw compiler.error(
      property,
      `Unexpected '${name.split(' ')[1] ?? ''}'; a name with spaces needs backticks: \`${name}\``,
    );
  }
  if (isForbiddenKey(name)) return constant(null);
  if (!base.path) return { evaluate: pathOf(base.evaluate, name) };
  const path = [...base.path, name];
  compiler.reading(base.path, true);
  compiler.reading(path);
  return { evaluate: path.length === 2 ? variablePath(path[0] ?? '', name) : pathOf(base.evaluate, name), path };
};

function pathOf(base: Evaluate, name: string): Evaluate {
  return (run, local) => {
    const value = base(run, local);
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value)) {
      run.step(value.length);
      run.grow(value.length);
      return value.map((item: unknown) => propertyOf(item, name));
    }
    return propertyOf(value, name);
  };
}

/** Returns code for `variable.property`, the most frequent expression. */
function variablePath(variable: string, name: string): Evaluate {
  const general = pathOf((run) => run.scope.get(variable) ?? null, name);
  return (run, local) => {
    const value = run.scope.get(variable);
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value)) return general(run, local);
    return propertyOf(value, name);
  };
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof FeelValue) return value.property(name);
  if (Array.isArray(value)) return null;
  return Object.hasOwn(value, name) ? ((value as Record<string, unknown>)[name] ?? null) : null;
}

export const nameCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['VariableName', compileVariable],
  ['PathExpression', compilePath],
];
