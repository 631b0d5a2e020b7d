import type { EvaluationState } from './budget.js';
import { Local, type Evaluate, type Scope } from './compile-scope.js';
import { childAt, getChildren, type Compiler, type NodeCompiler } from './compiler.js';
import { readName } from './compile-names.js';
import { add } from './numbers/arithmetic.js';
import { compareNumbers, isNumber, type FeelNumber } from './numbers/decimal.js';
import type { FeelNode } from './parse.js';
import { FeelRange, isList } from './values.js';

/**
 * Calls `visit` with each value. Returns false if `visit` stops the iteration, and null if there is nothing to iterate
 * over.
 */
type IterationSource = (state: EvaluationState, local: Local, visit: (value: unknown) => boolean) => boolean | null;

interface Iteration extends ReturnType<Compiler['compileBody']> {
  readonly sources: readonly IterationSource[];
}

/**
 * Nesting levels that each iterator adds: calls of `iterateNested`, of its source and of the visitor. Later iterators
 * run inside earlier ones.
 */
const LEVELS_PER_ITERATOR = 3;

/** Compiles the iterators and the body. Later iterators see the names of earlier ones, as in DMN. */
function compileIteration(compiler: Compiler, iterators: FeelNode, body: FeelNode, outerScope: Scope): Iteration {
  let scope = outerScope;
  const sources: IterationSource[] = [];
  for (const part of getChildren(iterators).filter((child) => child.name === 'InExpression')) {
    const children = getChildren(part);
    sources.push(compileSource(compiler, childAt(children, 2), scope));
    scope = scope.bind(readName(compiler, childAt(children, 0)));
    compiler.enter(LEVELS_PER_ITERATOR);
  }
  const compiled = compiler.compileBody(body, scope);
  compiler.leave(LEVELS_PER_ITERATOR * sources.length);
  return { sources, ...compiled };
}

function compileSource(compiler: Compiler, node: FeelNode, scope: Scope): IterationSource {
  const children = getChildren(node);
  const from = compiler.compile(childAt(children, 0), scope).evaluate;
  if (children.length > 1) return compileRangeSource(from, compiler.compile(childAt(children, 2), scope).evaluate);
  return (state, local, visit) => {
    const source = from(state, local);
    if (source instanceof FeelRange) return iterateRange(source.start, source.end, visit);
    if (!isList(source)) return null;
    for (const item of source) if (!visit(item)) return false;
    return true;
  };
}

function compileRangeSource(from: Evaluate, to: Evaluate): IterationSource {
  return (state, local, visit) => iterateRange(from(state, local), to(state, local), visit);
}

/**
 * Visits the numbers from `from` to `to` in steps of 1, in descending order if `to` is less than `from`. Returns null
 * if one of them is not a number.
 */
function iterateRange(from: unknown, to: unknown, visit: (value: unknown) => boolean): boolean | null {
  if (!isNumber(from) || !isNumber(to)) return null;
  const direction = compareNumbers(from, to) <= 0 ? 1 : -1;
  let value: FeelNumber | null = from;
  while (value !== null && compareNumbers(value, to) * direction <= 0) {
    if (!visit(value)) return false;
    value = add(value, direction);
  }
  return true;
}

/** Calls `body` for every combination of values. Returns null if one of the sources is not a list or range. */
function iterateNested(
  state: EvaluationState,
  sources: readonly IterationSource[],
  index: number,
  local: Local,
  body: (local: Local) => boolean,
): boolean | null {
  const source = sources[index];
  if (!source) return body(local);
  let hasFailed = false;
  const completed = source(state, local, (value) => {
    state.chargeSteps(1);
    const innerResult = iterateNested(state, sources, index + 1, new Local(local, value), body);
    if (innerResult === null) hasFailed = true;
    return innerResult === true;
  });
  return hasFailed ? null : completed;
}

const compileFor: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const [iterators, result] = [childAt(children, 1), childAt(children, 3)];
  const { sources, code, cost } = compileIteration(compiler, iterators, result, scope.bind('partial'));
  const body = code.evaluate;
  return {
    evaluate: (state, local) => {
      const results: unknown[] = [];
      const completed = iterateNested(state, sources, 0, new Local(local, results), (innermost) => {
        state.chargeSteps(cost);
        state.chargeSize(1);
        results.push(body(state, innermost));
        return true;
      });
      return completed === null ? null : results;
    },
  };
};

/**
 * Compiles `some` and `every` in three-valued logic. The first value that decides the result ends the iteration.
 * Without such a value, the result is null if any value is not a boolean.
 */
const compileQuantified: NodeCompiler = (compiler, node, scope) => {
  const children = getChildren(node);
  const decidingValue = compiler.getText(childAt(children, 0)) === 'some';
  const { sources, code, cost } = compileIteration(compiler, childAt(children, 1), childAt(children, 3), scope);
  const body = code.evaluate;
  return {
    evaluate: (state, local) => {
      let isDecided = false;
      let hasUnknown = false;
      const completed = iterateNested(state, sources, 0, local, (innermost) => {
        state.chargeSteps(cost);
        const value = body(state, innermost);
        if (value === decidingValue) isDecided = true;
        else if (value !== !decidingValue) hasUnknown = true;
        return !isDecided;
      });
      if (isDecided) return decidingValue;
      return completed === null || hasUnknown ? null : !decidingValue;
    },
  };
};

export const iterationCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['ForExpression', compileFor],
  ['QuantifiedExpression', compileQuantified],
];
