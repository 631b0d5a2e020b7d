import { Local } from './compile-scope.js';
import { childAt, childrenOf, constant, fold, type Compiler, type NodeCompiler } from './compiler.js';
import { unquote } from './compile-literals.js';
import { nameText } from './compile-names.js';
import { order } from './equality.js';
import type { FeelNode } from './parse.js';
import { FeelRange, isForbiddenKey, type FeelContextValue } from './values.js';

const compileList: NodeCompiler = (compiler, node, scope) => {
  const items = childrenOf(node)
    .filter((child) => child.name !== '[' && child.name !== ']' && child.name !== ',')
    .map((child) => compiler.compile(child, scope));
  if (items.every((item) => item.constant)) return constant(items.map((item) => item.constant?.value));
  return {
    evaluate: (run, local) => {
      run.grow(items.length);
      return items.map((item) => item.evaluate(run, local));
    },
  };
};

/** Compiles a context. Entries see the entries before them, and a function sees its own name. */
const compileContext: NodeCompiler = (compiler, node, scope) => {
  const names = new Set<string>();
  const inner = scope.bindContext(names);
  const entries = childrenOf(node)
    .filter((child) => child.name === 'ContextEntry')
    .map((entry) => {
      const children = childrenOf(entry);
      const key = keyText(compiler, childAt(children, 0));
      const value = childAt(children, children.length - 1);
      if (value.name === 'FunctionDefinition') names.add(key);
      const { evaluate } = compiler.compile(value, inner);
      names.add(key);
      return { key, evaluate };
    });
  return {
    evaluate: (run, local) => {
      run.grow(entries.length);
      const context: FeelContextValue = {};
      const chain = new Local(local, context);
      for (const { key, evaluate } of entries) context[key] = evaluate(run, chain);
      return context;
    },
  };
};

function keyText(compiler: Compiler, node: FeelNode): string {
  const child = childAt(childrenOf(node), 0);
  const key = child.name === 'StringLiteral' ? unquote(compiler.text(child)) : nameText(compiler, child);
  if (isForbiddenKey(key)) throw compiler.error(node, `'${key}' can't be a key`);
  return key;
}

/** Compiles a range of any ordered values; null if its ends have no order. */
const compileInterval: NodeCompiler = (compiler, node, scope) => {
  const children = childrenOf(node);
  const start = compiler.compile(childAt(children, 1), scope);
  const end = compiler.compile(childAt(children, 3), scope);
  const startIncluded = compiler.text(childAt(children, 0)) === '[';
  const endIncluded = compiler.text(childAt(children, 4)) === ']';
  return fold(
    (run, local) => {
      const [from, to] = [start.evaluate(run, local), end.evaluate(run, local)];
      return order(from, to) === null ? null : new FeelRange(from, to, startIncluded, endIncluded);
    },
    start,
    end,
  );
};

const compileSimpleTest: NodeCompiler = (compiler, node, scope) => {
  const child = childAt(childrenOf(node), 0);
  if (child.name === 'Interval') return compiler.compile(child, scope);
  const doubled = compiler.source.charAt(node.from - 1) === '=';
  const hint = doubled ? "equality is written '='" : 'a comparison needs a left side here';
  throw compiler.error(node, `Unexpected '${compiler.text(child)}'; ${hint}`);
};

export const collectionCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['List', compileList],
  ['Context', compileContext],
  ['Interval', compileInterval],
  ['SimplePositiveUnaryTest', compileSimpleTest],
];
