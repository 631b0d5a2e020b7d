import { Local } from './compile-scope.js';
import {
  childAt,
  getChildren,
  createConstantCode,
  foldConstant,
  type Compiler,
  type NodeCompiler,
} from './compiler.js';
import { unquote } from './compile-literals.js';
import { readName } from './compile-names.js';
import { compareValues } from './equality.js';
import type { FeelNode } from './parse.js';
import { FeelRange, isForbiddenKey, type FeelContextValue } from './values.js';

const compileList: NodeCompiler = (compiler, node, scope) => {
  const items = getChildren(node)
    .filter((child) => child.name !== '[' && child.name !== ']' && child.name !== ',')
    .map((child) => compiler.compile(child, scope));
  if (items.every((item) => item.constant)) return createConstantCode(items.map((item) => item.constant?.value));
  return {
    evaluate: (state, local) => {
      state.chargeSize(items.length);
      return items.map((item) => item.evaluate(state, local));
    },
  };
};

/** Compiles a context. An entry can read the entries before it, and a function can call itself by its name. */
const compileContext: NodeCompiler = (compiler, node, scope) => {
  const names = new Set<string>();
  const entryScope = scope.bindContext(names);
  const entries = getChildren(node)
    .filter((child) => child.name === 'ContextEntry')
    .map((entry) => {
      const children = getChildren(entry);
      const key = readKey(compiler, childAt(children, 0));
      const value = childAt(children, children.length - 1);
      if (value.name === 'FunctionDefinition') names.add(key);
      const { evaluate } = compiler.compile(value, entryScope);
      names.add(key);
      return { key, evaluate };
    });
  return {
    evaluate: (state, local) => {
      state.chargeSize(entries.length);
      const context: FeelContextValue = {};
      const entryLocal = new Local(local, context);
      for (const { key, evaluate } of entries) context[key] = evaluate(state, entryLocal);
      return context;
    },
  };
};

function readKey(compiler: Compiler, node: FeelNode): string {
  const child = childAt(getChildren(node), 0);
  const key = child.name === 'StringLiteral' ? unquote(compiler.getText(child)) : readName(compiler, child);
  if (isForbiddenKey(key)) throw compiler.createError(node, `'${key}' cannot be a key`);
  return key;
}

/** Compiles a range of any ordered values. The range evaluates to null if its bounds cannot be compared. */
const compileInterval: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const start = compiler.compile(childAt(children, 1), scope);
  const end = compiler.compile(childAt(children, 3), scope);
  const startIncluded = compiler.getText(childAt(children, 0)) === '[';
  const endIncluded = compiler.getText(childAt(children, 4)) === ']';
  return foldConstant(
    (state, local) => {
      const [from, to] = [start.evaluate(state, local), end.evaluate(state, local)];
      return compareValues(from, to) === null ? null : new FeelRange(from, to, startIncluded, endIncluded);
    },
    start,
    end,
  );
};

const compileSimpleTest: NodeCompiler = (compiler, node, scope) => {
  const child = childAt(getChildren(node), 0);
  if (child.name === 'Interval') return compiler.compile(child, scope);
  const isDoubleEquals = compiler.source.charAt(node.from - 1) === '=';
  const hint = isDoubleEquals ? "equality is written '='" : 'a comparison needs a left operand here';
  throw compiler.createError(node, `Unexpected '${compiler.getText(child)}'; ${hint}`);
};

export const collectionCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['List', compileList],
  ['Context', compileContext],
  ['Interval', compileInterval],
  ['SimplePositiveUnaryTest', compileSimpleTest],
];
