import type { EvaluationState } from './budget.js';
import { Local, type Evaluate } from './compile-scope.js';
import { childAt, getChildren, type Compiler, type NodeCompiler } from './compiler.js';
import { isNumber, getWholePart, type FeelNumber } from './numbers/decimal.js';
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
    evaluate: (state, local) => {
      const list = source(state, local);
      return isList(list) ? filter(state, local, list, test, cost) : null;
    },
  };
};

/**
 * Compiles the list to filter. `partial[-1]` reads the growing list itself and not a copy, because the filter keeps no
 * reference to the list.
 */
function compileSource(compiler: Compiler, node: FeelNode, scope: Scope): Evaluate {
  if (node.name === 'VariableName' && compiler.getText(node) === 'partial' && scope.find('partial').bound) {
    return scope.compileRead('partial', () => null);
  }
  return compiler.compile(node, scope).evaluate;
}

function compileConstantFilter(source: Evaluate, filterValue: unknown): Evaluate {
  return (state, local) => {
    const list = source(state, local);
    if (!isList(list)) return null;
    if (isNumber(filterValue)) return getItemAt(list, filterValue);
    if (filterValue !== true) return [];
    state.chargeSize(list.length);
    return list.slice();
  };
}

/**
 * Filters a list. If the result for the first item is a number, it is the position of the only item to return;
 * otherwise, every result is a condition. For an empty list, the expression is evaluated once with null as the item.
 */
function filter(state: EvaluationState, local: Local, list: readonly unknown[], test: Evaluate, cost: number): unknown {
  state.chargeSteps(cost);
  const firstResult = test(state, new Local(local, list[0] ?? null));
  if (isNumber(firstResult)) return getItemAt(list, firstResult);
  const result: unknown[] = [];
  for (const [index, item] of list.entries()) {
    state.chargeSteps(cost);
    const filterResult = index === 0 ? firstResult : test(state, new Local(local, item));
    if (filterResult !== true) continue;
    state.chargeSize(1);
    result.push(item);
  }
  return result;
}

function getItemAt(list: readonly unknown[], position: FeelNumber): unknown {
  const index = getWholePart(position);
  if (index > 0) return list[index - 1] ?? null;
  return index < 0 ? (list[list.length + index] ?? null) : null;
}

export const filterCompilers: readonly (readonly [string, NodeCompiler])[] = [['FilterExpression', compileFilter]];
