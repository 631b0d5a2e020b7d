import type { Run } from './budget.js';
import { Local, type Evaluate } from './compile-scope.js';
import { childAt, getChildren, type Compiler, type NodeCompiler } from './compiler.js';
import { isNumber, wholePart, type FeelNumber } from './numbers/decimal.js';
import type { FeelNode } from './parse.js';
import type { Scope } from './compile-scope.js';
import { isList } from './values.js';

/** Compiles `list[…]`: by index from 1 (from the end if negative), or by a condition on `item` and its properties. */
const compileFilter: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const source = compileSource(compiler, childAt(children, 0), scope);
  const { code, cost } = compiler.compileBody(childAt(children, 2), scope.bindItem());
  if (code.constant) return { evaluate: compileConstantFilter(source, code.constant.value) };
  const test = code.evaluate;
  return {
    evaluate: (run, local) => {
      const list = source(run, local);
      return isList(list) ? filter(run, local, list, test, cost) : null;
    },
  };
};

/**
 * Compiles the list to filter. `partial[-1]` may read the growing list itself, because the filter keeps no reference to
 * it.
 */
function compileSource(compiler: Compiler, node: FeelNode, scope: Scope): Evaluate {
  if (node.name === 'VariableName' && compiler.text(node) === 'partial' && scope.find('partial').bound) {
    return scope.read('partial', () => null);
  }
  return compiler.compile(node, scope).evaluate;
}

function compileConstantFilter(source: Evaluate, filterValue: unknown): Evaluate {
  return (run, local) => {
    const list = source(run, local);
    if (!isList(list)) return null;
    if (isNumber(filterValue)) return itemAt(list, filterValue);
    if (filterValue !== true) return [];
    run.chargeSize(list.length);
    return list.slice();
  };
}

/**
 * Filters a list. The result for the first item decides the kind: a number is an index. An empty list is only tested
 * once for that.
 */
function filter(run: Run, local: Local, list: readonly unknown[], test: Evaluate, cost: number): unknown {
  run.chargeSteps(cost);
  const first = test(run, new Local(local, list[0] ?? null));
  if (isNumber(first)) return itemAt(list, first);
  const result: unknown[] = [];
  for (const [index, item] of list.entries()) {
    run.chargeSteps(cost);
    const filterResult = index === 0 ? first : test(run, new Local(local, item));
    if (filterResult !== true) continue;
    run.chargeSize(1);
    result.push(item);
  }
  return result;
}

function itemAt(list: readonly unknown[], position: FeelNumber): unknown {
  const index = wholePart(position);
  if (index > 0) return list[index - 1] ?? null;
  return index < 0 ? (list[list.length + index] ?? null) : null;
}

export const filterCompilers: readonly (readonly [string, NodeCompiler])[] = [['FilterExpression', compileFilter]];
